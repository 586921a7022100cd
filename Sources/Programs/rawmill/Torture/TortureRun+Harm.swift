import Broker
import Glibc
import Processes
import Samples

extension TortureRun {
    /// Does harm of one kind, and tells what it did.
    mutating func perform(_ harm: TortureHarm) async throws {
        guard let what = try await done(harm) else { return }
        story.count(harm)
        say("\(harm.rawValue): \(what)")
    }

    /// - Returns: what was done; nil where nothing could be.
    private mutating func done(_ harm: TortureHarm) async throws -> String? {
        switch harm {
        case .kill: return try await kill()
        case .stop: return cluster.stop(&random)
        case .drain: return try await drain()
        case .killRenderer: return cluster.killRenderer(&random)
        case .resend: return try await resend()
        case .garbage: return try await sendGarbage()
        case .broker:
            let seconds = Int.random(in: 1...8, using: &random)
            return try await place.broker.harm(
                all: Bool.random(using: &random), node: Int.random(in: 1...3, using: &random), away: .seconds(seconds))
        case .outage: return try await outage()
        case .moveLeaders: return try await place.broker.moveLeaders(&random)
        case .answerErrors: return place.broker.answerErrors(&random)
        case .deleteTopic: return try await deleteTopic()
        case .resetOffsets: return try await resetOffsets()
        case .fillDisk:
            try await TortureDisk.fill(place.folder, for: .seconds(Int.random(in: 3...8, using: &random)))
            return place.folder
        }
    }

    private mutating func kill() async throws -> String {
        let victim = try await cluster.kill(&random)
        if victim.hasPrefix("worker") { story.workersKilled += 1 }
        return victim
    }

    private mutating func drain() async throws -> String? {
        guard let drained = try await cluster.drain(&random) else { return nil }
        switch drained.end {
        case .exited(status: ExitStatus.done): break
        // Of what it had in hand when it was told to end, one job kills its worker.
        case .signalled(SIGKILL) where plan.scenario.hasPoison: story.endedByThemselves += 1
        default: story.disorderlyEnds.append(drained.name)
        }
        return drained.name
    }

    private mutating func resend() async throws -> String {
        let sent = try await TortureRecords(transport: transport, foreign: foreign).resend(&random)
        if sent.topic == Topics.bulkJobs { story.jobsResent += sent.count }
        return "\(sent.count) records of \(sent.topic)"
    }

    private mutating func sendGarbage() async throws -> String {
        let count = Int.random(in: 10...300, using: &random)
        let topic = try await TortureRecords(transport: transport, foreign: foreign).sendGarbage(count, &random)
        story.garbageSent += count
        return "\(count) records to \(topic)"
    }

    /// What is ordered while every broker is away is taken when they are back.
    private mutating func outage() async throws -> String? {
        var orders: [TortureProcess?] = []
        let what = try await place.broker.harm(all: true, node: 1, away: plan.outage) {
            for _ in 0..<2 { orders.append(try beginOrder()) }
        }
        for order in orders { try await end(order) }
        return what.map { "\($0), \(orders.compactMap { $0 }.count) orders meanwhile" }
    }

    private mutating func deleteTopic() async throws -> String? {
        try await end(try beginOrder())
        guard let what = place.broker.delete(Topics.bulkJobs) else { return nil }
        story.jobsExposed += plan.jobs
        offsets.forget(Topics.bulkJobs, isDeleted: true)
        return what
    }

    /// The operator ends the workers, because Kafka does not set the offsets of a group that has members.
    private mutating func resetOffsets() async throws -> String? {
        story.disorderlyEnds += try await cluster.endWorkers()
        // With jobs in the topic that nobody has begun.
        try await end(try beginOrder())
        try await Task.sleep(for: .seconds(1))
        let toEarliest = Bool.random(using: &random)
        let what = try place.broker.resetOffsets(of: Topics.bulkJobs, toEarliest: toEarliest)
        if what != nil { story.jobsExposed += plan.jobs }
        offsets.forget(Topics.bulkJobs)
        try cluster.startWorkers()
        return what
    }
}
