import Broker
import CommandLineTool
import Glibc
import KafkaBroker
import Processes
import Samples
import Telemetry

/// One run, from the cluster's start to the checks. The seed decides all actions, but not their timing.
struct TortureRun {
    let plan: Plan
    let layout: ClusterLayout
    let roles: ClusterRoles
    private(set) var transport: KafkaTransport
    /// For garbage that is larger than Rawmill's own records.
    private(set) var unlimited: KafkaTransport?
    var random: SplitMix64
    var tally = HarmTally()
    var offsets: OffsetMonitor
    private(set) var resources = ResourceMonitor()
    private(set) var sources: SourceFiles
    private(set) var orders = Orders()
    /// The archive as made, and as changed by users since.
    var archive = FileInventory()
    /// Companions that another program saved again, by path.
    var editedCompanions: Set<String> = []
    var editor: PhotoEditor
    private(set) var catalogue: CatalogueMonitor

    private let settings: KafkaSettings
    private let report: (String) -> Void
    private let start = ContinuousClock.now
    private var nextObservation: ContinuousClock.Instant = .now

    /// - Parameter report: receives a line for each event.
    init(_ plan: Plan, _ layout: ClusterLayout, report: @escaping (String) -> Void) throws {
        self.plan = plan
        self.layout = layout
        self.report = report
        sources = SourceFiles(layout.archive, plan, megapixels: layout.megapixels)
        editor = PhotoEditor(folder: layout.library, outside: "\(layout.folder)/outside")
        catalogue = CatalogueMonitor(library: layout.library)
        roles = try ClusterRoles(layout, workers: plan.workers)
        settings = KafkaSettings(try KafkaAddress("kafka://\(layout.broker.servers)"))
        transport = try KafkaTransport(settings)
        offsets = OffsetMonitor(transport)
        random = SplitMix64(seed: plan.seed)
    }

    /// Acts on the brokers while this program has no connection to them. librdkafka 2.8.0 frees a topic's data twice
    /// when the topic is recreated (librdkafka's issue 5093), which must not crash the harming program.
    mutating func disconnected<Value>(_ body: () async throws -> Value) async throws -> Value {
        await transport.close()
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        transport = try KafkaTransport(settings)
        offsets.transport = transport
        return try result.get()
    }

    /// - Returns: the promises that held and those that did not.
    mutating func run() async throws -> Outcome {
        defer { roles.kill() }
        try await prepare()
        try await harm()
        log("done: \(tally.description)")
        let isFinished = try await finish()
        if !isFinished { try await reportDiagnosis() }
        tally.disorderlyEnds += try await roles.end()
        if plan.scenario == .errors { tally.duplicates = try await duplicates() }
        let outcome = try await PromiseChecks(run: self, isFinished: isFinished).outcome()
        await transport.close()
        await unlimited?.close()
        return outcome
    }

    private mutating func prepare() async throws {
        try layout.makeFolders()
        log("making \(sources.description)")
        try sources.make()
        try putPeoplesFiles()
        if !layout.broker.isMock {
            try await transport.create(Topics.cluster(partitions: 16) + [KafkaTransport.incarnationTopic])
            if plan.scenario.harms.contains(.garbage) {
                unlimited = try await RecordFaults.unlimitedTransport(settings)
            }
        }
        try roles.start()
        // If poison is the only harm, the first half of the jobs runs without it, to measure its effect on the others.
        try await submit(upTo: plan.scenario == .poison ? SourceFiles.parts / 2 : 1)
        if plan.scenario == .poison { _ = try await waitForOrders(SourceFiles.parts / 2) }
    }

    /// Users' files in every run: one where a photo will be, and some in places that Rawmill does not use.
    private mutating func putPeoplesFiles() throws {
        editor.putFile(at: sources.photoName(0), "my own picture")
        editor.putFile(at: "photos/archive/part-0/notes.txt", "notes")
        editor.putFile(at: "mine.txt", "a file beside the library's")
        try archive.noteFiles(below: layout.archive)
    }

    private mutating func harm() async throws {
        let deadline = ContinuousClock.now + plan.patience
        while tally.total < plan.harms, ContinuousClock.now < deadline {
            guard let harm = plan.scenario.harms.randomElement(using: &random) else { break }
            do { try await perform(harm) } catch is BrokerError {}
            try await submit(upTo: 1 + tally.total * SourceFiles.parts / max(1, plan.harms))
            roles.resume()
            tally.workersKilled += try roles.mend()
            tally.rolesRestarted += try roles.restartEnded().count
            await observe()
            try await Task.sleep(for: .milliseconds(Int.random(in: harm.pause, using: &random)))
        }
    }

    // MARK: - Orders

    /// Submits the next parts as a user would, until `due` parts are submitted.
    mutating func submit(upTo due: Int) async throws {
        while orders.parts < min(due, SourceFiles.parts) {
            let order = try beginOrder()
            try await end(order)
        }
    }

    /// Begins to submit the next part; nil if all are submitted.
    mutating func beginOrder() throws -> RoleProcess? { try orders.nextPart(plan.scenario).map(begin) }

    /// Begins to submit a part again, with another exposure.
    mutating func beginEdit() throws -> RoleProcess { try begin(orders.nextEdit(of: sources)) }

    private func begin(_ order: Orders.Order) throws -> RoleProcess {
        let process = layout.process(order.name, "submit", order.arguments)
        try process.start()
        return process
    }

    /// Waits until an order is accepted. A failed one is submitted again.
    func end(_ order: RoleProcess?) async throws {
        guard let order else { return }
        for _ in 1...5 {
            if try await order.end(within: plan.patience) == .exited(status: ExitStatus.done) { return }
            try order.start()
        }
        throw CommandFailure("\(order.name) was not accepted: see \(layout.logs)")
    }

    /// The jobs of all orders together.
    var jobs: Int { plan.jobs + orders.edited.jobs }

    /// Photos beyond one for each job.
    var furtherPhotos: Int { sources.furtherPhotos + orders.edited.furtherPhotos }

    // MARK: - Observation

    /// Observes the cluster from outside, at most every two seconds.
    mutating func observe() async {
        guard ContinuousClock.now > nextObservation else { return }
        tally.offsetComplaints += await offsets.check()
        resources.sample(roles.all)
        await catalogue.sample()
        nextObservation = .now + .seconds(2)
    }

    /// Reports an event with its time.
    func log(_ text: String) {
        let time = start.duration(to: .now) / .seconds(1)
        report("  \(NumberText.decimal(time, places: 1)) s  \(text)")
    }

    /// Also writes it to the folder, because a table of many seeds only names the broken promise.
    private func reportDiagnosis() async throws {
        let lines = await ClusterDiagnosis(roles: roles, transport: transport).lines()
        for line in lines { log(line) }
        try layout.write(lines, to: "diagnosis.txt")
    }
}
