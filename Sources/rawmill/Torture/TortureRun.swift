import Broker
import Glibc
import Jobs
import KafkaBroker
import Library
import Manifests
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
    }

    let plan: Plan
    let place: TorturePlace
    let cluster: TortureCluster
    let transport: KafkaTransport
    let output: TextOutput
    private var random: SplitMix64
    private(set) var story = TortureStory()
    private var offsets: TortureOffsets
    private var submitted = 0
    private(set) var poisoned = 0
    private static let parts = 10

    init(_ plan: Plan, _ place: TorturePlace, output: TextOutput) throws {
        self.plan = plan
        self.place = place
        self.output = output
        cluster = TortureCluster(place, workers: plan.workers)
        transport = try KafkaTransport(KafkaSettings(try KafkaAddress("kafka://\(place.broker.servers)")))
        offsets = TortureOffsets(transport)
        random = SplitMix64(seed: plan.seed)
    }

    /// - Returns: what held and what did not.
    mutating func run() async throws -> [TortureVerdict] {
        defer { cluster.kill() }
        try await prepare()
        try await harm()
        output.write(line: "Done: \(story.text).")
        let isOver = try await finish()
        story.disorderlyEnds += try await cluster.end()
        await transport.close()
        return try await TortureChecks(run: self, isOver: isOver).verdicts()
    }

    private mutating func prepare() async throws {
        for part in 0..<Self.parts {
            let numbers = part * plan.jobs / Self.parts..<(part + 1) * plan.jobs / Self.parts
            poisoned += try place.makeSources(part, numbers, poison: plan.scenario.hasPoison)
        }
        if place.broker.isReal {
            try await transport.create(Topics.onCluster(partitions: 16) + [KafkaTransport.incarnations])
        }
        try cluster.start()
        try await submit(upTo: 1)
    }

    /// Orders the parts that are due, as a user would.
    private mutating func submit(upTo due: Int) async throws {
        while submitted < min(due, Self.parts) {
            let name = "part-\(submitted)"
            let order = place.process("submit-\(name)", "submit", ["archive/\(name)"])
            for attempt in 1...5 {
                try order.start()
                while !order.hasEnded { try await Task.sleep(for: .milliseconds(50)) }
                if try await order.drain(within: .seconds(1)) == .exited(status: ExitStatus.done) { break }
                if attempt == 5 { throw CommandFailure("\(name) could not be submitted: see \(place.logs)") }
            }
            submitted += 1
        }
    }

    // MARK: - Harm

    private mutating func harm() async throws {
        let deadline = ContinuousClock.now + plan.harmTime
        var nextCheck = ContinuousClock.now
        while story.total < plan.harms, ContinuousClock.now < deadline {
            guard let harm = plan.scenario.harms.randomElement(using: &random) else { break }
            do { try await perform(harm) } catch is BrokerError {}
            try await submit(upTo: 1 + story.total * Self.parts / max(1, plan.harms))
            cluster.wake()
            story.endedByThemselves += try cluster.startEnded().count
            if ContinuousClock.now > nextCheck {
                story.offsetComplaints += await offsets.check()
                nextCheck = .now + .seconds(3)
            }
            let pause = harm == .drain ? 1000...3000 : 100...900
            try await Task.sleep(for: .milliseconds(Int.random(in: pause, using: &random)))
        }
    }

    private mutating func perform(_ harm: TortureHarm) async throws {
        var what: String?
        switch harm {
        case .kill: what = try await cluster.kill(&random)
        case .stop: what = cluster.stop(&random)
        case .drain:
            let drained = try await cluster.drain(&random)
            if let drained, !drained.isOrderly { story.disorderlyEnds.append(drained.text) }
            what = drained?.text
        case .killRenderer: what = cluster.killRenderer(&random)
        case .resend:
            let sent = try await TortureRecords(transport: transport).resend(&random)
            if sent.topic == Topics.bulkJobs { story.jobsResent += sent.count }
            what = "\(sent.count) records of \(sent.topic)"
        case .garbage:
            let count = Int.random(in: 10...300, using: &random)
            let topic = try await TortureRecords(transport: transport).sendGarbage(count, &random)
            story.garbageSent += count
            if ![Topics.manifests, Topics.control].contains(topic) { story.garbageJobs += count }
            what = "\(count) records to \(topic)"
        case .broker:
            let seconds = Int.random(in: 1...8, using: &random)
            what = try await place.broker.harm(
                all: Bool.random(using: &random), node: Int.random(in: 1...3, using: &random), away: .seconds(seconds))
        case .fillDisk:
            try await TortureDisk.fill(place.folder, for: .seconds(Int.random(in: 3...8, using: &random)))
            what = place.folder
        }
        guard let what else { return }
        story.count(harm)
        output.write(line: "  \(harm.rawValue): \(what)")
    }

    // MARK: - Rest

    /// Leaves the cluster alone until everything is done.
    ///
    /// - Returns: false where it was not done in time.
    private mutating func finish() async throws -> Bool {
        let deadline = ContinuousClock.now + plan.patience
        cluster.wake(all: true)
        try await submit(upTo: Self.parts)
        while ContinuousClock.now < deadline {
            story.endedByThemselves += try cluster.startEnded().count
            story.offsetComplaints += await offsets.check()
            if let view = try? await ClusterView.read(transport), view.batches.count == Self.parts,
                view.batches.allSatisfy({ $0.isOver }), try isCatalogued(view)
            {
                story.deadLetters = try await deadLetters()
                if story.deadLetters >= story.garbageJobs { return true }
            }
            try await Task.sleep(for: .seconds(1))
        }
        return false
    }

    /// All that ever were: the imitation of a cluster drops old ones of many bytes.
    private func deadLetters() async throws -> Int {
        try await transport.watermarks(topic: Topics.deadLetter).values.reduce(0) { $0 + Int($1.upperBound) }
    }

    private func isCatalogued(_ view: ClusterView) throws -> Bool {
        let wanted = view.batches.reduce(0) { $0 + Int($1.counts.catalogued) + Int($1.counts.degraded) }
        return try LibraryStore(folder: place.library, mode: .read).counts().renditions >= wanted
    }
}
