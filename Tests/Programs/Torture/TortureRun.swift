import Broker
import CommandLineTool
import Glibc
import KafkaBroker
import Processes
import Samples
import Telemetry

/// One run, from the cluster's start to the checks. The seed decides everything it does, but not the moments.
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
    /// The archive as it was made, and as people changed it since.
    var archive = FileInventory()
    /// Files beside RAWs that another program saved again, by their paths.
    var editedCompanions: Set<String> = []
    var editor: PhotoEditor
    private(set) var catalogue: CatalogueMonitor

    private let settings: KafkaSettings
    private let report: (String) -> Void
    private let start = ContinuousClock.now
    private var nextObservation: ContinuousClock.Instant = .now

    /// - Parameter report: gets a line for each thing that happens.
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

    /// Does something to the brokers with no connection of this program to them. librdkafka 2.8.0 frees what it knows of a topic
    /// twice when the topic comes back as another one (librdkafka's issue 5093), and the program that harms must not end by it.
    mutating func disconnected<Value>(_ body: () async throws -> Value) async throws -> Value {
        await transport.close()
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        transport = try KafkaTransport(settings)
        offsets.transport = transport
        return try result.get()
    }

    /// - Returns: which promises held and which did not.
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
        // The first half of the jobs runs without poison where that is the only harm: to tell what it costs the others.
        try await submit(upTo: plan.scenario == .poison ? SourceFiles.parts / 2 : 1)
        if plan.scenario == .poison { _ = try await waitForOrders(SourceFiles.parts / 2) }
    }

    /// Files of people, in every run: one where a photo is going to be, and some where Rawmill has no business.
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

    /// Submits the next parts as a user would, until `due` parts are.
    mutating func submit(upTo due: Int) async throws {
        while orders.parts < min(due, SourceFiles.parts) {
            let order = try beginOrder()
            try await end(order)
        }
    }

    /// Begins to submit the next part; nil where all are.
    mutating func beginOrder() throws -> RoleProcess? { try orders.nextPart(plan.scenario).map(begin) }

    /// Begins to submit a part again, with another exposure.
    mutating func beginEdit() throws -> RoleProcess { try begin(orders.nextEdit(of: sources)) }

    private func begin(_ order: Orders.Order) throws -> RoleProcess {
        let process = layout.process(order.name, "submit", order.arguments)
        try process.start()
        return process
    }

    /// Waits until an order is accepted. One that fails is submitted again.
    func end(_ order: RoleProcess?) async throws {
        guard let order else { return }
        for _ in 1...5 {
            if try await order.end(within: plan.patience) == .exited(status: ExitStatus.done) { return }
            try order.start()
        }
        throw CommandFailure("\(order.name) was not accepted: see \(layout.logs)")
    }

    /// The jobs that all orders together make.
    var jobs: Int { plan.jobs + orders.edited.jobs }

    /// Photos beyond one for each job.
    var furtherPhotos: Int { sources.furtherPhotos + orders.edited.furtherPhotos }

    // MARK: - Observation

    /// Observes the cluster from outside, every two seconds at most.
    mutating func observe() async {
        guard ContinuousClock.now > nextObservation else { return }
        tally.offsetComplaints += await offsets.check()
        resources.sample(roles.all)
        await catalogue.sample()
        nextObservation = .now + .seconds(2)
    }

    /// Reports something, and when.
    func log(_ text: String) {
        let time = start.duration(to: .now) / .seconds(1)
        report("  \(NumberText.decimal(time, places: 1)) s  \(text)")
    }

    /// Also writes it to the folder, because a table of many seeds says only what is broken.
    private func reportDiagnosis() async throws {
        let lines = await ClusterDiagnosis(roles: roles, transport: transport).lines()
        for line in lines { log(line) }
        try layout.write(lines, to: "diagnosis.txt")
    }
}
