import Broker
import Testing

@testable import KafkaBroker

@Suite("The next action of a consumer's poll thread")
struct ConsumerActionTests {
    private let partition = TopicPartition(topic: "t", partition: 3)
    private let other = TopicPartition(topic: "t", partition: 4)
    private let start = ContinuousClock.now

    private func delivery(_ offset: Int64, bytes: Int = 0) -> Delivery {
        Delivery(
            record: Record(key: [], value: [UInt8](repeating: 1, count: bytes)),
            position: Position(partition: partition, offset: offset), timestampMilliseconds: 0)
    }

    /// A member whose records were requested at `start`, and that may be silent for a minute.
    private func member(of partitions: [TopicPartition]) throws -> ConsumerState {
        var state = ConsumerState(window: 10_000, maxIdle: .seconds(60))
        state.assigned(partitions, from: [:])
        #expect(try state.take(1, now: start).isEmpty)
        return state
    }

    /// A member with a full partition: as many records as its buffer may hold.
    private func fullMember() throws -> ConsumerState {
        var state = try member(of: [partition, other])
        for offset in 0..<Int64(FetchBuffer.maxRecords) { _ = state.arrived(delivery(offset), now: start) }
        return state
    }

    @Test("It polls, for at most a second")
    func polls() throws {
        var state = try member(of: [partition])
        #expect(state.nextAction(now: start) == .poll(.seconds(1)))
        _ = state.arrived(delivery(0), now: start)
        #expect(state.nextAction(now: start + .seconds(1)) == .poll(.seconds(1)))
    }

    // MARK: - Commits

    @Test("A requested commit comes first, once; after a failure it waits 200 ms, and polls end by then")
    func commits() async throws {
        var state = try member(of: [partition])
        _ = state.arrived(delivery(0), now: start)
        for taken in try state.take(1, now: start) { _ = state.finish(taken.position, now: start) }
        try await withCheckedThrowingContinuation { (done: PendingCommits.Done) in
            state.commits.add(state.commits.newCall(), done, deadline: start + .seconds(10))
            let due = start + .seconds(1)
            #expect(state.nextAction(now: due) == .commit([partition: 1]))
            #expect(state.nextAction(now: due) == .poll(.seconds(1)))
            #expect(state.commits.failed(due).isEmpty)
            #expect(state.nextAction(now: due + .milliseconds(50)) == .poll(.milliseconds(150)))
            #expect(state.nextAction(now: due + .milliseconds(200)) == .commit([partition: 1]))
            state.committed([partition: 1])
            let served = state.commits.succeeded()
            #expect(served.count == 1)
            #expect(state.nextAction(now: due + .milliseconds(200)) == .poll(.seconds(1)))
            for done in served + state.commits.takeAll() { done.resume() }
        }
        #expect(state.toCommit().isEmpty)
    }

    @Test("A commit that fails after its caller's deadline is not tried again")
    func lateCommit() async throws {
        var state = try member(of: [partition])
        try await withCheckedThrowingContinuation { (done: PendingCommits.Done) in
            state.commits.add(state.commits.newCall(), done, deadline: start + .seconds(10))
            #expect(state.nextAction(now: start + .seconds(9)) == .commit([:]))
            let over = state.commits.failed(start + .seconds(11))
            #expect(over.count == 1)
            #expect(state.nextAction(now: start + .seconds(12)) == .poll(.seconds(1)))
            for done in over + state.commits.takeAll() { done.resume() }
        }
    }

    // MARK: - Full partitions

    @Test("A full partition delays the others for 100 ms, is paused, and resumed when it is half empty")
    func fullPartition() throws {
        var state = try fullMember()
        #expect(state.nextAction(now: start) == .wait(.milliseconds(100)))
        #expect(state.nextAction(now: start + .milliseconds(60)) == .wait(.milliseconds(40)))
        #expect(state.nextAction(now: start + .milliseconds(100)) == .pause([partition]))
        state.performed(.pauses([partition]))
        #expect(state.nextAction(now: start + .milliseconds(100)) == .poll(.seconds(1)))

        #expect(try state.take(FetchBuffer.maxRecords / 2 - 1, now: start).count == FetchBuffer.maxRecords / 2 - 1)
        #expect(state.nextAction(now: start + .seconds(1)) == .poll(.seconds(1)))
        #expect(!state.needsThread)
        #expect(try state.take(1, now: start).count == 1)
        #expect(state.needsThread)
        #expect(state.nextAction(now: start + .seconds(1)) == .resume([partition]))
        state.performed(.resumes([partition]))
        #expect(state.nextAction(now: start + .seconds(1)) == .poll(.seconds(1)))
        #expect(!state.needsThread)
    }

    @Test("A full partition that is emptied within that time is not paused")
    func emptiedInTime() throws {
        var state = try fullMember()
        #expect(state.nextAction(now: start) == .wait(.milliseconds(100)))
        #expect(try state.take(1, now: start).count == 1)
        #expect(state.needsThread)
        #expect(state.nextAction(now: start + .milliseconds(100)) == .poll(.seconds(1)))
        #expect(!state.needsThread)
    }

    @Test("A partition that is emptied while it is being paused is resumed at once")
    func emptiedWhilePaused() throws {
        var state = try fullMember()
        #expect(state.nextAction(now: start + .milliseconds(100)) == .pause([partition]))
        #expect(try state.take(FetchBuffer.maxRecords, now: start).count == FetchBuffer.maxRecords)
        state.performed(.pauses([partition]))
        #expect(state.nextAction(now: start + .milliseconds(100)) == .resume([partition]))
    }

    @Test("A partition of few but large records is also full")
    func largeRecords() throws {
        var state = try member(of: [partition])
        _ = state.arrived(delivery(0, bytes: FetchBuffer.maxBytes), now: start)
        #expect(state.nextAction(now: start + .milliseconds(100)) == .pause([partition]))
        state.revoked([partition])
        #expect(state.nextAction(now: start + .milliseconds(100)) == .poll(.seconds(1)))
    }

    // MARK: - Membership

    @Test("A member whose records are not requested for too long leaves, and rejoins on request")
    func silent() throws {
        var state = try member(of: [partition])
        #expect(state.nextAction(now: start + .seconds(60)) == .poll(.seconds(1)))
        #expect(state.nextAction(now: start + .seconds(61)) == .leave(silentFor: .seconds(61)))
        state.revoked([partition])
        state.left()
        #expect(state.nextAction(now: start + .seconds(62)) == .poll(.seconds(1)))
        #expect(try state.take(1, now: start + .seconds(63)).isEmpty)
        #expect(state.nextAction(now: start + .seconds(63)) == .joinAgain)
        state.joinedAgain()
        #expect(state.nextAction(now: start + .seconds(63)) == .poll(.seconds(1)))
    }

    @Test("A member without partitions and a reader stay, however long they are silent")
    func withoutPartitions() throws {
        var idle = try member(of: [])
        #expect(idle.nextAction(now: start + .seconds(3600)) == .poll(.seconds(1)))
        var reader = ConsumerState(reading: [partition: 0])
        #expect(reader.nextAction(now: start + .seconds(3600)) == .poll(.seconds(1)))
        reader.leave()
        #expect(reader.nextAction(now: start + .seconds(3600)) == .poll(.seconds(1)))
    }

    @Test("A member that leaves on request delivers nothing, and stays out until it may rejoin")
    func leaving() throws {
        var state = try member(of: [partition])
        _ = state.arrived(delivery(0), now: start)
        state.leave()
        #expect(try state.take(1, now: start).isEmpty)
        #expect(state.nextAction(now: start) == .leave(silentFor: nil))
        #expect(!state.isOut)
        state.revoked([partition])
        state.left()
        #expect(state.isOut)
        #expect(try state.take(1, now: start).isEmpty)
        #expect(state.nextAction(now: start) == .poll(.seconds(1)))
        state.rejoin()
        #expect(state.nextAction(now: .now) == .joinAgain)
    }

    // MARK: - The end

    @Test("Closing comes first, and commits finished records; abandoning does neither")
    func closing() throws {
        var state = try fullMember()
        state.leave()
        state.close()
        #expect(state.nextAction(now: start) == .close)
        state.close(abandoning: true)
        #expect(state.nextAction(now: start) == .close, "it was closing already")
        #expect(throws: BrokerError.self) { try state.take(1, now: start) }

        var abandoned = try fullMember()
        abandoned.close(abandoning: true)
        #expect(abandoned.nextAction(now: start) == .abandon)
    }

    @Test("If another broker has replaced its own, a member closes and commits nothing")
    func replaced() throws {
        var state = try member(of: [partition])
        _ = state.arrived(delivery(0), now: start)
        for taken in try state.take(1, now: start) { _ = state.finish(taken.position, now: start) }
        #expect(state.toCommit() == [partition: 1])
        state.replaced(.replaced("it is another Kafka"))
        #expect(state.nextAction(now: start) == .close)
        #expect(state.toCommit().isEmpty)
        #expect(throws: BrokerError.replaced("it is another Kafka")) { try state.take(1, now: start) }
    }
}
