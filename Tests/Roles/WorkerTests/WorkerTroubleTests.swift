import Broker
import Jobs
import Manifests
import Testing

@testable import Worker

/// When a worker stops taking jobs, by its failures or its storage, and when it goes on, as scripts.
@Suite struct WorkerTroubleTests {
    var rules = WorkerSettings(name: "w", slots: 2)

    @Test("Too many jobs that are too new pause a worker; one job that nobody can do does not, and waits longer")
    func newerJobsAndTheBreaker() throws {
        var rules = rules
        rules.leavesNewerJobs = true
        rules.breaker = 3
        var state = WorkerState(rules: rules)
        func meet(_ number: Int) throws -> WorkerState.Settlement {
            state.arrived(try ticket(number))
            _ = state.next(slot: 0, now: 0)
            return state.ended(slot: 0, .failed(Failure(.newerWriter, "It needs engine 9.")))
        }
        for pass in 1...40 {
            guard case .pass(let delay, _) = try meet(1) else {
                Issue.record("it was not left to others")
                return
            }
            #expect(delay == rules.retryDelay * min(pass, 10) && delay <= rules.longestDelay)
        }
        #expect(state.pulls && state.failuresInARow == 1)
        for number in 2...3 { _ = try meet(number) }
        #expect(state.isInTrouble)
        state.resume()
        for number in 1...3 { _ = try meet(number) }
        #expect(state.isInTrouble)
    }

    @Test("What the storage stopped is let go of with its partition: nobody waits for it")
    func givenUp() throws {
        var state = WorkerState(rules: rules)
        let (stopped, untouched) = (try ticket(1), try ticket(2))
        for each in [stopped, untouched] { state.arrived(each) }
        _ = state.next(slot: 0, now: 0)
        _ = state.ended(slot: 0, .failed(Failure(.diskFull, "full")))
        let partition = stopped.delivery.position.partition
        #expect(state.release([partition]) == [stopped.delivery.position, untouched.delivery.position])
        state.left(.bulk)
        #expect(state.release([partition]).isEmpty)
        state.storageIsBack()
        state.arrived(stopped)
        _ = state.next(slot: 0, now: 0)
        #expect(state.release([partition]).isEmpty)
    }

    @Test("A full disk keeps the job and stops the pulling; what was not begun comes again when the group was left")
    func storage() throws {
        var state = WorkerState(rules: rules)
        let first = try ticket(1)
        state.arrived(first)
        state.arrived(try ticket(2))
        _ = state.next(slot: 0, now: 0)
        let failure = Failure(.diskFull, "full")
        #expect(state.ended(slot: 0, .failed(failure)) == .keep)
        #expect(!state.pulls)
        #expect(state.pause == .storage(failure))
        #expect(state.next(slot: 0, now: 0) == .wait(until: nil))
        #expect(state.troubles == 1 && state.isInTrouble)
        state.resume()
        #expect(!state.pulls)
        state.left(.bulk)
        state.storageIsBack()
        #expect(state.pulls && !state.isInTrouble)
        #expect(state.next(slot: 0, now: 0) == .wait(until: nil))
        state.arrived(first)
        #expect(state.next(slot: 0, now: 0) == .start(first))
    }

    @Test("A wish to wait outlives the trouble that came after it, and trouble outlives the wish")
    func wishAndTrouble() {
        var state = WorkerState(rules: rules)
        let failure = Failure(.diskFull, "full")
        state.hold()
        #expect(state.pause == .asked && !state.isInTrouble)
        state.lostStorage(failure)
        #expect(state.pause == .storage(failure))
        state.storageIsBack()
        #expect(state.pause == .asked && !state.pulls)
        state.lostStorage(failure)
        state.release()
        #expect(state.pause == .storage(failure))
        state.storageIsBack()
        #expect(state.pulls && state.troubles == 2)
    }

    @Test("Storage that comes back only for a moment is tried ever less often, until a job ends well")
    func storageBackoff() throws {
        var state = WorkerState(rules: rules)
        for seconds in [1, 2, 4, 8, 16, 32, 32] {
            state.lostStorage(Failure(.storageUnavailable, "gone"))
            #expect(state.probeDelay == .seconds(seconds))
            state.storageIsBack()
        }
        state.arrived(try ticket(1))
        _ = state.next(slot: 0, now: 0)
        _ = state.ended(slot: 0, .completed([]))
        state.lostStorage(Failure(.storageUnavailable, "gone"))
        #expect(state.probeDelay == .seconds(1))
    }

    @Test("A worker that may not wait for storage finishes what is in flight and leaves")
    func storageEnd() throws {
        var rules = rules
        rules.withoutStorage = .end
        var state = WorkerState(rules: rules)
        state.arrived(try ticket(1))
        state.arrived(try ticket(2))
        _ = state.next(slot: 0, now: 0)
        _ = state.next(slot: 1, now: 0)
        #expect(state.ended(slot: 0, .failed(Failure(.diskFull, "full"))) == .keep)
        #expect(state.next(slot: 0, now: 0) == .leave)
        #expect(state.ended(slot: 1, .completed([])) == .end(.completed([])))
    }

    @Test("As many failures in a row as the breaker allows pause the worker; a success in between does not")
    func breaker() throws {
        var rules = rules
        rules.breaker = 3
        var state = WorkerState(rules: rules)
        let failure = Failure(.corrupt, "damaged")
        for ending in [
            WorkerState.Ending.failed(failure), .failed(failure), .completed([]), .failed(failure), .failed(failure),
        ] {
            state.arrived(try ticket(1))
            _ = state.next(slot: 0, now: 0)
            _ = state.ended(slot: 0, ending)
        }
        #expect(state.pulls)
        state.arrived(try ticket(1))
        _ = state.next(slot: 0, now: 0)
        _ = state.ended(slot: 0, .failed(failure))
        #expect(state.pause == .failures(3, last: failure))
        state.resume()
        #expect(state.pulls)
        #expect(state.failuresInARow == 0)
    }
}
