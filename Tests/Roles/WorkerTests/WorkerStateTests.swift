import Broker
import Jobs
import Manifests
import Testing

@testable import Worker

/// The worker's decisions, as scripts.
@Suite struct WorkerStateTests {
    var rules = WorkerSettings(name: "w", slots: 2)

    @Test("Interactive jobs go first, then tries whose time has come, then bulk jobs in their order")
    func rightOfWay() throws {
        var state = WorkerState(rules: rules)
        let first = try ticket(1)
        let second = try ticket(2)
        let early = try ticket(3, .retry, failures: 1, notBefore: 500)
        let late = try ticket(4, .retry, failures: 1, notBefore: 5000)
        let urgent = try ticket(5, .interactive)
        for each in [first, second, late, early, urgent] { state.arrived(each) }
        #expect(state.next(slot: 0, now: 1000) == .start(urgent))
        #expect(state.next(slot: 1, now: 1000) == .start(early))
        #expect(state.next(slot: 2, now: 1000) == .start(first))
        #expect(state.next(slot: 3, now: 1000) == .start(second))
        #expect(state.next(slot: 4, now: 1000) == .wait(until: 5000))
        #expect(state.next(slot: 4, now: 5000) == .start(late))
        #expect(state.next(slot: 5, now: 5000) == .wait(until: nil))
    }

    @Test("A job that is to run alone begins when all before it is settled, and nothing begins before it has ended")
    func alone() throws {
        var state = WorkerState(rules: rules)
        let (first, cursed, behind) = (try ticket(1), try ticket(2, runsAlone: true), try ticket(3))
        for each in [first, cursed, behind] { state.arrived(each) }
        #expect(state.next(slot: 0, now: 0) == .start(first))
        #expect(state.next(slot: 1, now: 0) == .wait(until: Int64(rules.deadline.components.seconds) * 250))
        _ = state.ended(slot: 0, .completed([]))
        #expect(state.next(slot: 0, now: 0) == .wait(until: nil))
        var isIdle = state.settled()
        #expect(isIdle)
        #expect(state.next(slot: 1, now: 0) == .start(cursed))
        let urgent = try ticket(4, .interactive)
        state.arrived(urgent)
        #expect(state.next(slot: 0, now: 0) == .wait(until: nil))
        _ = state.ended(slot: 1, .completed([]))
        #expect(state.next(slot: 0, now: 0) == .start(urgent))
        #expect(state.next(slot: 1, now: 0) == .start(behind))
        isIdle = state.settled()
        #expect(!isIdle)
    }

    @Test("Nobody waits with a job that is to run alone for one that hangs, and it has its turn when that one is over")
    func aloneBesideHang() throws {
        var state = WorkerState(rules: rules)
        let quarter = try #require(Int64(exactly: rules.deadline.components.seconds)) * 250
        let (hang, cursed, behind) = (try ticket(0), try ticket(2, runsAlone: true), try ticket(3))
        for each in [hang, cursed, behind] { state.arrived(each) }
        #expect(state.next(slot: 0, now: 1000) == .start(hang))
        #expect(state.next(slot: 1, now: 1000) == .wait(until: 1000 + quarter))
        #expect(state.next(slot: 1, now: 1000 + quarter) == .start(behind))
        _ = state.ended(slot: 1, .completed([]))
        _ = state.settled()
        #expect(state.next(slot: 1, now: 2000 + quarter) == .wait(until: nil))
        _ = state.ended(slot: 0, .failed(Failure(.timeout, "It hangs.")))
        #expect(state.next(slot: 0, now: 4 * quarter) == .wait(until: nil))
        _ = state.settled()
        #expect(state.next(slot: 0, now: 4 * quarter) == .start(cursed))
    }

    @Test("What was not begun is let go of when its partition goes; what runs is not")
    func release() throws {
        var state = WorkerState(rules: rules)
        for number in 1...3 { state.arrived(try ticket(number)) }
        state.arrived(try ticket(4, .retry, failures: 1, notBefore: 5000))
        guard case .start(let begun) = state.next(slot: 0, now: 1000) else { return #expect(Bool(false)) }
        let bulk = begun.delivery.position.partition
        #expect(state.release([bulk]).map(\.offset).sorted() == [2, 3])
        #expect(state.release([bulk]).isEmpty)
        #expect(state.running.count == 1)
        #expect(state.next(slot: 1, now: 1000) == .wait(until: 5000))
    }

    @Test("One photo gets all cores, of many each gets one; those that are still coming count, later tries do not")
    func threads() throws {
        var state = WorkerState(rules: WorkerSettings(name: "w", slots: 4))
        state.took(1)
        state.arrived(try ticket(1))
        state.received()
        state.arrived(try ticket(2, .retry, failures: 1, notBefore: 5000))
        _ = state.next(slot: 0, now: 1000)
        #expect(state.threadsOfOne(now: 1000) == 4)
        #expect(state.threadsOfOne(now: 5000) == 2)
        state.took(3)
        #expect(state.threadsOfOne(now: 1000) == 1)
        for number in 3...5 {
            state.arrived(try ticket(number))
            state.received()
        }
        for slot in 1...3 {
            _ = state.next(slot: slot, now: 1000)
            #expect(state.threadsOfOne(now: 1000) == 1)
        }
        for slot in 1...3 { _ = state.ended(slot: slot, .completed([])) }
        #expect(state.threadsOfOne(now: 1000) == 4)
    }

    @Test("The last photo gets the threads of neighbours that are about to end, and none of those that have just begun")
    func lastThreads() throws {
        var state = WorkerState(rules: WorkerSettings(name: "w", slots: 2))
        for number in 1...3 { state.arrived(try ticket(number)) }
        for slot in 0...1 { _ = state.next(slot: slot, now: 1000) }
        _ = state.ended(slot: 0, .completed([]))
        _ = state.next(slot: 0, now: 1400)
        #expect(state.threadsOfOne(now: 1400) == 2)
        state.arrived(try ticket(4))
        #expect(state.threadsOfOne(now: 1400) == 1)
        _ = state.ended(slot: 1, .completed([]))
        _ = state.next(slot: 1, now: 1500)
        #expect(state.threadsOfOne(now: 1500) == 1)
    }

    @Test("What may pass is tried again after 1, 2 and 4 times the delay; the fourth failure is the end")
    func retries() throws {
        var state = WorkerState(rules: rules)
        let failure = Failure(.timeout, "too slow")
        for (failures, seconds) in zip(UInt32(0)..., [1, 2, 4]) {
            state.arrived(try ticket(1, failures: failures))
            _ = state.next(slot: 0, now: 0)
            let settlement = state.ended(slot: 0, .failed(failure))
            #expect(settlement == .retry(failures: failures + 1, delay: .seconds(seconds), failure))
        }
        state.arrived(try ticket(1, failures: 3))
        _ = state.next(slot: 0, now: 0)
        #expect(state.ended(slot: 0, .failed(failure)) == .end(.failed(failure)))
        #expect(state.failed == 1)
    }

    @Test("What never passes ends at once")
    func rejections() throws {
        var state = WorkerState(rules: rules)
        state.arrived(try ticket(1))
        _ = state.next(slot: 0, now: 0)
        let failure = Failure(.corrupt, "damaged")
        #expect(state.ended(slot: 0, .failed(failure)) == .end(.failed(failure)))
    }

    @Test(
        "A job that is too new ends on one machine, and is left to newer workers in a cluster, however often it comes")
    func newerJobs() throws {
        let failure = Failure(.newerWriter, "It needs engine 9.")
        for leaves in [false, true] {
            var rules = rules
            rules.leavesNewerJobs = leaves
            var state = WorkerState(rules: rules)
            for (seconds, failures) in [(1, UInt32(0)), (2, 3)] {
                let job = try ticket(1, failures: failures)
                state.arrived(job)
                #expect(state.next(slot: 0, now: 0) == .start(job))
                let passed = WorkerState.Settlement.pass(delay: rules.retryDelay * seconds, failure)
                #expect(state.ended(slot: 0, .failed(failure)) == (leaves ? passed : .end(.failed(failure))))
            }
        }
    }

    @Test("Stopping drains; stopping again gives up what is in flight")
    func stopping() throws {
        var state = WorkerState(rules: rules)
        state.arrived(try ticket(1))
        state.arrived(try ticket(2))
        _ = state.next(slot: 0, now: 0)
        state.stop()
        #expect(state.phase == .draining)
        #expect(state.next(slot: 1, now: 0) == .leave)
        state.stop()
        #expect(state.phase == .aborting)
        #expect(state.ended(slot: 0, .aborted) == .keep)
    }

    @Test("The deadline grows with the file")
    func deadline() {
        #expect(rules.deadline(rawBytes: 0) == .seconds(120))
        #expect(rules.deadline(rawBytes: 128 << 20) == .seconds(240))
    }
}
