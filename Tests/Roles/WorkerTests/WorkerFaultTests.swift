import Broker
import Jobs
import Manifests
import Testing

@testable import Worker

/// Failures and storage faults that stop a worker from starting jobs, and their end, as scripts.
@Suite struct WorkerFaultTests {
    var settings = WorkerSettings(name: "w", slots: 2)

    @Test(
        "Many jobs that are too new pause a worker. One job that comes back repeatedly does not, and waits longer")
    func newerJobsAndTheBreaker() throws {
        var settings = settings
        settings.passesNewerJobs = true
        settings.breakerThreshold = 3
        var state = WorkerState(settings: settings)
        func meet(_ number: Int) throws -> WorkerState.Disposition {
            state.recordArrival(try delivery(number))
            _ = state.nextAction(slot: 0, now: 0)
            return state.recordRenderEnd(slot: 0, .failed(Failure(.newerWriter, "It needs engine 9.")))
        }
        for pass in 1...40 {
            guard case .pass(let delay, _) = try meet(1) else {
                Issue.record("it was not passed on")
                return
            }
            #expect(delay == settings.retryDelay * min(pass, 10) && delay <= settings.maxDelay)
        }
        #expect(state.mayStartJobs && state.faults.consecutiveFailures == 1)
        for number in 2...3 { _ = try meet(number) }
        #expect(state.faults.hasFault)
        state.resume()
        for number in 1...3 { _ = try meet(number) }
        #expect(state.faults.hasFault)
    }

    @Test("A job that the storage interrupted is released with its partition")
    func abandoned() throws {
        var state = WorkerState(settings: settings)
        let (interrupted, unstarted) = (try delivery(1), try delivery(2))
        for each in [interrupted, unstarted] { state.recordArrival(each) }
        _ = state.nextAction(slot: 0, now: 0)
        _ = state.recordRenderEnd(slot: 0, .failed(Failure(.diskFull, "full")))
        let partition = interrupted.position.partition
        #expect(state.releaseUnstarted(of: [partition]) == [interrupted.position, unstarted.position])
        state.recordGroupLeft(.bulk)
        #expect(state.releaseUnstarted(of: [partition]).isEmpty)
        state.recordStorageRecovery()
        state.recordArrival(interrupted)
        _ = state.nextAction(slot: 0, now: 0)
        #expect(state.releaseUnstarted(of: [partition]).isEmpty)
    }

    @Test("A full disk keeps the job and starts no other; unstarted jobs come again after the worker left the group")
    func storage() throws {
        var state = WorkerState(settings: settings)
        let first = try delivery(1)
        state.recordArrival(first)
        state.recordArrival(try delivery(2))
        _ = state.nextAction(slot: 0, now: 0)
        let failure = Failure(.diskFull, "full")
        #expect(state.recordRenderEnd(slot: 0, .failed(failure)) == .keep)
        #expect(!state.mayStartJobs)
        #expect(state.faults.pause == .storage(failure))
        #expect(state.nextAction(slot: 0, now: 0) == .wait(until: nil))
        #expect(state.faults.count == 1 && state.faults.hasFault)
        state.resume()
        #expect(!state.mayStartJobs)
        state.recordGroupLeft(.bulk)
        state.recordStorageRecovery()
        #expect(state.mayStartJobs && !state.faults.hasFault)
        #expect(state.nextAction(slot: 0, now: 0) == .wait(until: nil))
        state.recordArrival(first)
        #expect(state.nextAction(slot: 0, now: 0) == .start(first))
    }

    @Test("A requested pause and a fault do not end each other")
    func pauseAndFault() {
        var state = WorkerState(settings: settings)
        let failure = Failure(.diskFull, "full")
        state.requestPause()
        #expect(state.faults.pause == .requested && !state.faults.hasFault)
        state.recordStorageLoss(failure)
        #expect(state.faults.pause == .storage(failure))
        state.recordStorageRecovery()
        #expect(state.faults.pause == .requested && !state.mayStartJobs)
        state.recordStorageLoss(failure)
        state.withdrawPauseRequest()
        #expect(state.faults.pause == .storage(failure))
        state.recordStorageRecovery()
        #expect(state.mayStartJobs && state.faults.count == 2)
    }

    @Test("Storage that returns only for moments is tried less and less often, until a job completes")
    func storageBackoff() throws {
        var state = WorkerState(settings: settings)
        for seconds in [1, 2, 4, 8, 16, 32, 32] {
            state.recordStorageLoss(Failure(.storageUnavailable, "gone"))
            #expect(state.faults.probeDelay == .seconds(seconds))
            state.recordStorageRecovery()
        }
        state.recordArrival(try delivery(1))
        _ = state.nextAction(slot: 0, now: 0)
        _ = state.recordRenderEnd(slot: 0, .completed([]))
        state.recordStorageLoss(Failure(.storageUnavailable, "gone"))
        #expect(state.faults.probeDelay == .seconds(1))
    }

    @Test("A worker that may not wait for storage finishes jobs in flight and exits")
    func storageEnd() throws {
        var settings = settings
        settings.onStorageLoss = .end
        var state = WorkerState(settings: settings)
        state.recordArrival(try delivery(1))
        state.recordArrival(try delivery(2))
        _ = state.nextAction(slot: 0, now: 0)
        _ = state.nextAction(slot: 1, now: 0)
        #expect(state.recordRenderEnd(slot: 0, .failed(Failure(.diskFull, "full"))) == .keep)
        #expect(state.nextAction(slot: 0, now: 0) == .exit)
        #expect(state.recordRenderEnd(slot: 1, .completed([])) == .end(.completed([])))
    }

    @Test("Failures in a row pause the worker at the threshold; a success in between resets the count")
    func breaker() throws {
        var settings = settings
        settings.breakerThreshold = 3
        var state = WorkerState(settings: settings)
        let failure = Failure(.corrupt, "damaged")
        for result in [
            WorkerState.AttemptResult.failed(failure), .failed(failure), .completed([]), .failed(failure),
            .failed(failure),
        ] {
            state.recordArrival(try delivery(1))
            _ = state.nextAction(slot: 0, now: 0)
            _ = state.recordRenderEnd(slot: 0, result)
        }
        #expect(state.mayStartJobs)
        state.recordArrival(try delivery(1))
        _ = state.nextAction(slot: 0, now: 0)
        _ = state.recordRenderEnd(slot: 0, .failed(failure))
        #expect(state.faults.pause == .failures(3, last: failure))
        state.resume()
        #expect(state.mayStartJobs)
        #expect(state.faults.consecutiveFailures == 0)
    }
}
