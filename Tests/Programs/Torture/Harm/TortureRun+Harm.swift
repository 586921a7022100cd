import Broker
import ClusterControl
import CommandLineTool
import Glibc
import KafkaBroker
import Processes
import Samples

extension TortureRun {
    /// Does harm of one kind, and reports it.
    mutating func perform(_ harm: Harm) async throws {
        guard let description = try await apply(harm) else { return }
        tally.count(harm)
        log("\(harm.rawValue): \(description)")
    }

    /// - Returns: a description; nil if nothing could be done.
    private mutating func apply(_ harm: Harm) async throws -> String? {
        switch harm {
        case .kill: return try await kill()
        case .stop: return roles.stop(&random)
        case .drain: return try await drain()
        case .killRenderer: return roles.killRenderProcess(&random)
        case .resend: return try await resend()
        case .garbage: return try await sendGarbage()
        case .broker:
            let seconds = Int.random(in: 1...8, using: &random)
            return try await layout.broker.takeDown(
                all: Bool.random(using: &random), node: Int.random(in: 1...3, using: &random), for: .seconds(seconds))
        case .outage: return try await outage()
        case .moveLeaders: return try await layout.broker.moveLeaders(&random)
        case .answerErrors: return layout.broker.injectErrors(&random)
        case .deleteTopic: return try await deleteTopic()
        case .resetOffsets: return try await resetOffsets()
        case .fillDisk:
            try await DiskFiller.fill(layout.folder, for: .seconds(Int.random(in: 3...8, using: &random)))
            return layout.folder
        case .failCall:
            guard let victim = try await roles.failCall(&random) else { return nil }
            if victim.name.hasPrefix("worker") { tally.workersKilled += 1 }
            return "\(victim.name), \(victim.fault)"
        case .rebuildKafka: return try await rebuildKafka()
        case .unmount:
            let victim = try await roles.unmount(&random)
            if victim != nil { tally.workersKilled += 1 }
            return victim
        case .stranger: return try await stranger()
        case .killDatabase:
            let seconds = Int.random(in: 0...6, using: &random)
            return try await layout.database?.takeDown(for: .seconds(seconds))
        case .stopCoordinator:
            // When it continues, it may send once more what it was about to send.
            tally.jobsExposed += jobs
            return roles.stopCoordinator(&random)
        case .editPhotos: return try await letPeopleWork()
        case .editCompanions: return editCompanions()
        }
    }

    private mutating func kill() async throws -> String {
        let victim = try await roles.kill(&random)
        if victim.hasPrefix("worker") { tally.workersKilled += 1 }
        return victim
    }

    private mutating func drain() async throws -> String? {
        guard let drained = try await roles.drain(&random) else { return nil }
        switch drained.end {
        case .exited(status: ExitStatus.done): break
        // One of its jobs in hand was poison that kills its worker.
        case .signalled(SIGKILL) where plan.scenario.hasPoison: tally.rolesRestarted += 1
        default: tally.disorderlyEnds.append(drained.name)
        }
        return drained.name
    }

    private mutating func resend() async throws -> String {
        let sent = try await RecordFaults(transport: transport, unlimited: unlimited).resend(&random)
        if sent.topic == Topics.bulkJobs { tally.jobsResent += sent.count }
        return "\(sent.count) records of \(sent.topic)"
    }

    private mutating func sendGarbage() async throws -> String {
        let count = Int.random(in: 10...300, using: &random)
        let faults = RecordFaults(transport: transport, unlimited: unlimited)
        let topic = try await faults.sendGarbage(count, &random)
        tally.garbageSent += count
        return "\(count) records to \(topic)"
    }

    /// Orders submitted while every broker is away must be accepted when they are back.
    private mutating func outage() async throws -> String? {
        var orders: [RoleProcess?] = []
        let description = try await layout.broker.takeDown(all: true, node: 1, for: plan.outage) {
            for _ in 0..<2 { orders.append(try beginOrder()) }
        }
        for order in orders { try await end(order) }
        return description.map { "\($0), \(orders.compactMap { $0 }.count) orders meanwhile" }
    }

    /// Deletes one of the topics in turn, and recreates it like an operator who is faster than the roles.
    private mutating func deleteTopic() async throws -> String? {
        let topics = [Topics.bulkJobs, Topics.control, Topics.results, Topics.manifests, Topics.status]
        let topic = topics[(tally.done[.deleteTopic] ?? 0) % topics.count]
        try await end(try beginOrder())
        // An order that no coordinator has taken is lost with its topic, because it exists nowhere else.
        if topic == Topics.control, try await !areOrdersTaken() { return nil }
        guard let description = try await disconnected({ [layout] in layout.broker.delete(topic) }) else { return nil }
        if topic == Topics.bulkJobs { offsets.forget(topic, isDeleted: true) }
        // Lost jobs are sent again. Orders and states cost no renders.
        if topic != Topics.control, topic != Topics.status { tally.jobsExposed += jobs }
        // The coordinator creates the jobs topic itself.
        if topic != Topics.bulkJobs { try await make(topic) }
        return description
    }

    private func make(_ topic: String) async throws {
        let deadline = ContinuousClock.now + plan.patience
        repeat {
            // Brokers learn of a deletion one after another.
            try await Task.sleep(for: .milliseconds(300))
            try? await transport.create(Topics.cluster(partitions: 16))
            if (try? await transport.watermarks(topic: topic)) != nil { return }
        } while ContinuousClock.now < deadline
    }

    /// The operator stops the workers first, because Kafka does not set the offsets of a group with members.
    private mutating func resetOffsets() async throws -> String? {
        tally.disorderlyEnds += try await roles.endWorkers()
        // So that the topic holds jobs that are not begun.
        try await end(try beginOrder())
        try await Task.sleep(for: .seconds(1))
        let toEarliest = Bool.random(using: &random)
        let description = try layout.broker.resetOffsets(of: Topics.bulkJobs, toEarliest: toEarliest)
        if description != nil { tally.jobsExposed += jobs }
        offsets.forget(Topics.bulkJobs)
        try roles.startWorkers()
        return description
    }

    /// Kafka loses everything while photos wait to be converted, and some of the roles do not notice it.
    private mutating func rebuildKafka() async throws -> String? {
        try await end(try beginOrder())
        // An order that no coordinator has taken is lost with its topic, because it exists nowhere else.
        guard try await areOrdersTaken() else { return nil }
        let still = roles.standStill(&random)
        let description = try await disconnected { [layout] in try await layout.broker.rebuild() }
        if description != nil { try await transport.create(Topics.cluster(partitions: 16)) }
        roles.goOn(still)
        // Every job in the topics is sent again.
        tally.jobsExposed += jobs
        for topic in Topics.jobTopics { offsets.forget(topic, isDeleted: true) }
        return description.map {
            "\($0); \(still.isEmpty ? "no role" : still.map(\.name).joined(separator: ", ")) stood still"
        }
    }

    private func areOrdersTaken() async throws -> Bool {
        let deadline = ContinuousClock.now + plan.patience
        while ContinuousClock.now < deadline {
            let status = try? await ClusterStatus.read(transport)
            if status?.batches.count == orders.count { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    /// A role of another library must neither work here nor keep trying.
    private mutating func stranger() async throws -> String? {
        guard let role = ["coordinator", "catalogue", "worker"].randomElement(using: &random) else { return nil }
        // Topics belong to the first library that claims them.
        guard try await transport.owner() != nil else { return nil }
        let stranger = try layout.stranger(role)
        try stranger.start()
        let end = try await stranger.end(within: .seconds(60))
        if end != .exited(status: ExitStatus.fault) {
            tally.disorderlyEnds.append("the strange \(role): \(end.map { "\($0)" } ?? "still there")")
        }
        return "a \(role) of another library"
    }
}
