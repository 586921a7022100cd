import Broker
import Glibc
import Jobs
import KafkaBroker
import Processes
import Samples
import Telemetry

/// A cluster's torture, from its start to its end: everything it does follows from the seed, but the moments do not.
struct TortureRun {
    struct Plan {
        let scenario: TortureScenario
        let seed: UInt64
        let jobs: Int
        let harms: Int
        let workers: Int
        /// Longest time for the harm; and for the rest after it.
        let harmTime: Duration
        let patience: Duration
        /// How long every broker is away in an outage.
        let outage: Duration

        /// One source in so many is poison: one in a hundred, and one of each kind at least.
        var poisonEvery: Int? {
            guard scenario.hasPoison else { return nil }
            return max(1, min(100, jobs / (scenario == .poison ? 2 : 1) / (TorturePoison.allCases.count + 1)))
        }
    }

    let plan: Plan
    let place: TorturePlace
    let cluster: TortureCluster
    let settings: KafkaSettings
    let transport: KafkaTransport
    /// For garbage that is larger than Rawmill's own records.
    private(set) var foreign: KafkaTransport?
    let tell: (String) -> Void
    let start = ContinuousClock.now
    var random: SplitMix64
    var story = TortureStory()
    var offsets: TortureOffsets
    private(set) var watch = TortureWatch()
    private var nextLook: ContinuousClock.Instant = .now
    private var submitted = 0
    private(set) var sources: TortureSources

    init(_ plan: Plan, _ place: TorturePlace, tell: @escaping (String) -> Void) throws {
        self.plan = plan
        self.place = place
        self.tell = tell
        sources = TortureSources(place, plan)
        cluster = TortureCluster(place, workers: plan.workers)
        settings = KafkaSettings(try KafkaAddress("kafka://\(place.broker.servers)"))
        transport = try KafkaTransport(settings)
        offsets = TortureOffsets(transport)
        random = SplitMix64(seed: plan.seed)
    }

    /// - Returns: what held and what did not.
    mutating func run() async throws -> TortureOutcome {
        defer { cluster.kill() }
        try await prepare()
        try await harm()
        say("done: \(story.text)")
        let isOver = try await finish()
        if !isOver { try await tellStanding() }
        story.disorderlyEnds += try await cluster.end()
        if plan.scenario == .errors { story.copies = try await copies() }
        let outcome = try await TortureChecks(run: self, isOver: isOver).outcome()
        await transport.close()
        await foreign?.close()
        return outcome
    }

    private mutating func prepare() async throws {
        try place.makeFolders()
        say("making \(sources.text)")
        try sources.make()
        if place.broker.isReal {
            try await transport.create(Topics.onCluster(partitions: 16) + [KafkaTransport.incarnations])
        }
        let sendsGarbage = plan.scenario.harms.contains(.garbage)
        if place.broker.isReal, sendsGarbage { foreign = try await TortureRecords.foreign(settings) }
        try cluster.start()
        // Where poison is all there is, the first half of the jobs is without: to tell what it costs the others.
        try await submit(upTo: plan.scenario == .poison ? TortureSources.parts / 2 : 1)
        if plan.scenario == .poison { _ = try await waitForAll(TortureSources.parts / 2) }
    }

    /// Orders the parts that are due, as a user would.
    mutating func submit(upTo due: Int) async throws {
        while submitted < min(due, TortureSources.parts) {
            let order = try beginOrder()
            try await end(order)
        }
    }

    /// Begins to order the next part; nil where all are.
    mutating func beginOrder() throws -> TortureProcess? {
        guard submitted < TortureSources.parts else { return nil }
        let order = place.process("submit-part-\(submitted)", "submit", ["archive/part-\(submitted)"])
        try order.start()
        submitted += 1
        return order
    }

    /// Waits for an order to be taken; one that fails is given again.
    func end(_ order: TortureProcess?) async throws {
        guard let order else { return }
        for _ in 1...5 {
            if try await order.end(within: plan.patience) == .exited(status: ExitStatus.done) { return }
            try order.start()
        }
        throw CommandFailure("\(order.name) was not taken: see \(place.logs)")
    }

    // MARK: - Harm

    private mutating func harm() async throws {
        let deadline = ContinuousClock.now + plan.harmTime
        while story.total < plan.harms, ContinuousClock.now < deadline {
            guard let harm = plan.scenario.harms.randomElement(using: &random) else { break }
            do { try await perform(harm) } catch is BrokerError {}
            try await submit(upTo: 1 + story.total * TortureSources.parts / max(1, plan.harms))
            cluster.wake()
            story.endedByThemselves += try cluster.startEnded().count
            await look()
            try await Task.sleep(for: .milliseconds(Int.random(in: harm.pause, using: &random)))
        }
    }

    /// Watches the cluster from outside, now and then.
    mutating func look() async {
        guard ContinuousClock.now > nextLook else { return }
        story.offsetComplaints += await offsets.check()
        watch.look(at: cluster.roles)
        nextLook = .now + .seconds(2)
    }
}
