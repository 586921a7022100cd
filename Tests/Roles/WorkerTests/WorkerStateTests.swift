import Broker
import Jobs
import Manifests
import Testing

@testable import Worker

/// A worker's decisions, as scripts of events and decisions.
@Suite struct WorkerStateTests {
    var settings = WorkerSettings(name: "w", slots: 2)

    @Test("Interactive jobs start first, then retries that are due, then bulk jobs in their order")
    func priority() throws {
        var state = WorkerState(settings: settings)
        let first = try delivery(1)
        let second = try delivery(2)
        let early = try delivery(3, .retry, failures: 1, notBefore: 500)
        let late = try delivery(4, .retry, failures: 1, notBefore: 5000)
        let urgent = try delivery(5, .interactive)
        for each in [first, second, late, early, urgent] { state.recordArrival(each) }
        #expect(state.nextAction(slot: 0, now: 1000) == .start(urgent))
        #expect(state.nextAction(slot: 1, now: 1000) == .start(early))
        #expect(state.nextAction(slot: 2, now: 1000) == .start(first))
        #expect(state.nextAction(slot: 3, now: 1000) == .start(second))
        #expect(state.nextAction(slot: 4, now: 1000) == .wait(until: 5000))
        #expect(state.nextAction(slot: 4, now: 5000) == .start(late))
        #expect(state.nextAction(slot: 5, now: 5000) == .wait(until: nil))
    }

    @Test("Looks of one photo follow each other in one slot, other slots take other photos, and no slot idles for that")
    func severalLooks() throws {
        var state = WorkerState(settings: settings)
        let jobs = try [(1, "a"), (2, "a"), (3, "a"), (4, "b"), (5, "b")].map { try delivery($0.0, file: $0.1) }
        for each in jobs { state.recordArrival(each) }
        #expect(state.nextAction(slot: 0, now: 0) == .start(jobs[0]))
        #expect(state.nextAction(slot: 1, now: 0) == .start(jobs[3]))
        _ = state.recordRenderEnd(slot: 1, .completed([]))
        #expect(state.nextAction(slot: 1, now: 1) == .start(jobs[4]))
        _ = state.recordRenderEnd(slot: 0, .completed([]))
        #expect(state.nextAction(slot: 0, now: 2) == .start(jobs[1]))
        _ = state.recordRenderEnd(slot: 1, .completed([]))
        #expect(state.nextAction(slot: 1, now: 3) == .start(jobs[2]))
    }

    @Test("The next sources are two for each slot, in the order of their start, without those that must wait")
    func nextSources() throws {
        var state = WorkerState(settings: settings)
        let late = try delivery(1, .retry, failures: 1, notBefore: 5000, file: "late")
        let jobs = try (2...7).map { try delivery($0, file: "\($0)") }
        for each in [late] + jobs { state.recordArrival(each) }
        #expect(state.nextAction(slot: 0, now: 0) == .start(jobs[0]))
        #expect(state.nextSources(now: 0) == jobs[1...4].map(\.job.source))
        let urgent = try delivery(8, .interactive, file: "urgent")
        state.recordArrival(urgent)
        #expect(state.nextSources(now: 0) == ([urgent] + jobs[1...3]).map(\.job.source))
        #expect(state.nextSources(now: 5000) == ([urgent, late] + jobs[1...2]).map(\.job.source))
    }

    @Test("A slot without a process leaves jobs to slots that have one, and takes those for which these are busy")
    func coldSlot() throws {
        var state = WorkerState(settings: settings, coldSlots: [1])
        let jobs = try (1...4).map { try delivery($0, notBefore: $0 == 4 ? 500 : 0) }
        state.recordArrival(jobs[3])
        state.recordArrival(jobs[0])
        #expect(state.nextAction(slot: 1, now: 0) == .wait(until: 500))
        #expect(state.nextAction(slot: 0, now: 0) == .start(jobs[0]))
        #expect(state.nextAction(slot: 1, now: 0) == .wait(until: 500))
        state.recordArrival(jobs[1])
        #expect(state.nextAction(slot: 1, now: 0) == .start(jobs[1]))
        // From then on it is a normal slot.
        _ = state.recordRenderEnd(slot: 0, .completed([]))
        _ = state.recordRenderEnd(slot: 1, .completed([]))
        state.recordArrival(jobs[2])
        #expect(state.nextAction(slot: 1, now: 1) == .start(jobs[2]))
    }

    @Test("No look of a photo passes a job that runs alone")
    func looksBehindAlone() throws {
        var state = WorkerState(settings: settings)
        let (first, cursed) = (try delivery(1, file: "a"), try delivery(2, runsAlone: true, file: "b"))
        let look = try delivery(3, file: "a")
        for each in [first, cursed, look] { state.recordArrival(each) }
        #expect(state.nextAction(slot: 0, now: 0) == .start(first))
        _ = state.recordRenderEnd(slot: 0, .completed([]))
        _ = state.recordCompletion()
        #expect(state.nextAction(slot: 0, now: 0) == .start(cursed))
    }

    @Test("A job that runs alone starts when all before it are complete, and nothing starts before it has ended")
    func alone() throws {
        var state = WorkerState(settings: settings)
        let (first, cursed, behind) = (try delivery(1), try delivery(2, runsAlone: true), try delivery(3))
        for each in [first, cursed, behind] { state.recordArrival(each) }
        #expect(state.nextAction(slot: 0, now: 0) == .start(first))
        #expect(state.nextAction(slot: 1, now: 0) == .wait(until: Int64(settings.deadline.components.seconds) * 250))
        _ = state.recordRenderEnd(slot: 0, .completed([]))
        #expect(state.nextAction(slot: 0, now: 0) == .wait(until: nil))
        var isIdle = state.recordCompletion()
        #expect(isIdle)
        #expect(state.nextAction(slot: 1, now: 0) == .start(cursed))
        let urgent = try delivery(4, .interactive)
        state.recordArrival(urgent)
        #expect(state.nextAction(slot: 0, now: 0) == .wait(until: nil))
        _ = state.recordRenderEnd(slot: 1, .completed([]))
        #expect(state.nextAction(slot: 0, now: 0) == .start(urgent))
        #expect(state.nextAction(slot: 1, now: 0) == .start(behind))
        isIdle = state.recordCompletion()
        #expect(!isIdle)
    }

    @Test("A job that runs alone lets others pass while a job hangs, and starts when that one is over")
    func aloneBesideHang() throws {
        var state = WorkerState(settings: settings)
        let quarter = try #require(Int64(exactly: settings.deadline.components.seconds)) * 250
        let (hang, cursed, behind) = (try delivery(0), try delivery(2, runsAlone: true), try delivery(3))
        for each in [hang, cursed, behind] { state.recordArrival(each) }
        #expect(state.nextAction(slot: 0, now: 1000) == .start(hang))
        #expect(state.nextAction(slot: 1, now: 1000) == .wait(until: 1000 + quarter))
        #expect(state.nextAction(slot: 1, now: 1000 + quarter) == .start(behind))
        _ = state.recordRenderEnd(slot: 1, .completed([]))
        _ = state.recordCompletion()
        #expect(state.nextAction(slot: 1, now: 2000 + quarter) == .wait(until: nil))
        _ = state.recordRenderEnd(slot: 0, .failed(Failure(.timeout, "It hangs.")))
        #expect(state.nextAction(slot: 0, now: 4 * quarter) == .wait(until: nil))
        _ = state.recordCompletion()
        #expect(state.nextAction(slot: 0, now: 4 * quarter) == .start(cursed))
    }

    @Test("When a partition is revoked, its unstarted jobs are released and its running ones are not")
    func revocation() throws {
        var state = WorkerState(settings: settings)
        for number in 1...3 { state.recordArrival(try delivery(number)) }
        state.recordArrival(try delivery(4, .retry, failures: 1, notBefore: 5000))
        guard case .start(let running) = state.nextAction(slot: 0, now: 1000) else { return #expect(Bool(false)) }
        let bulk = running.position.partition
        #expect(state.releaseUnstarted(of: [bulk]).map(\.offset).sorted() == [2, 3])
        #expect(state.releaseUnstarted(of: [bulk]).isEmpty)
        #expect(state.running.count == 1)
        #expect(state.nextAction(slot: 1, now: 1000) == .wait(until: 5000))
    }

    @Test("One photo gets all cores, each of many gets one. Undecoded deliveries count, later retries do not")
    func threads() throws {
        var state = WorkerState(settings: WorkerSettings(name: "w", slots: 4))
        state.recordPolled(1)
        state.recordArrival(try delivery(1))
        state.recordDecoded()
        state.recordArrival(try delivery(2, .retry, failures: 1, notBefore: 5000))
        _ = state.nextAction(slot: 0, now: 1000)
        #expect(state.threadsPerJob(now: 1000) == 4)
        #expect(state.threadsPerJob(now: 5000) == 2)
        state.recordPolled(3)
        #expect(state.threadsPerJob(now: 1000) == 1)
        for number in 3...5 {
            state.recordArrival(try delivery(number))
            state.recordDecoded()
        }
        for slot in 1...3 {
            _ = state.nextAction(slot: slot, now: 1000)
            #expect(state.threadsPerJob(now: 1000) == 1)
        }
        for slot in 1...3 { _ = state.recordRenderEnd(slot: slot, .completed([])) }
        #expect(state.threadsPerJob(now: 1000) == 4)
    }

    @Test("The last photo also gets the threads of jobs that are about to end, but not of jobs that just started")
    func lastThreads() throws {
        var state = WorkerState(settings: WorkerSettings(name: "w", slots: 2))
        for number in 1...3 { state.recordArrival(try delivery(number)) }
        for slot in 0...1 { _ = state.nextAction(slot: slot, now: 1000) }
        _ = state.recordRenderEnd(slot: 0, .completed([]))
        _ = state.nextAction(slot: 0, now: 1400)
        #expect(state.threadsPerJob(now: 1400) == 2)
        state.recordArrival(try delivery(4))
        #expect(state.threadsPerJob(now: 1400) == 1)
        _ = state.recordRenderEnd(slot: 1, .completed([]))
        _ = state.nextAction(slot: 1, now: 1500)
        #expect(state.threadsPerJob(now: 1500) == 1)
    }

    @Test("A temporary failure is retried after 1, 2 and 4 times the delay; the fourth failure ends the job")
    func retries() throws {
        var state = WorkerState(settings: settings)
        let failure = Failure(.timeout, "too slow")
        for (failures, seconds) in zip(UInt32(0)..., [1, 2, 4]) {
            state.recordArrival(try delivery(1, failures: failures))
            _ = state.nextAction(slot: 0, now: 0)
            let disposition = state.recordRenderEnd(slot: 0, .failed(failure))
            #expect(disposition == .retry(failures: failures + 1, delay: .seconds(seconds), failure))
        }
        state.recordArrival(try delivery(1, failures: 3))
        _ = state.nextAction(slot: 0, now: 0)
        #expect(state.recordRenderEnd(slot: 0, .failed(failure)) == .end(.failed(failure)))
        #expect(state.failed == 1)
    }

    @Test("A render that computed until its time limit is retried once")
    func computing() throws {
        let job = try delivery(1).job
        let result = WorkerState.AttemptResult(.timedOut(.seconds(120), wasComputing: true), of: job)
        guard case .failed(let failure, maxRetries: 1) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.reason == .timeout && failure.message.contains("120 seconds of computing"))
        var state = WorkerState(settings: settings)
        state.recordArrival(try delivery(1))
        _ = state.nextAction(slot: 0, now: 0)
        #expect(state.recordRenderEnd(slot: 0, result) == .retry(failures: 1, delay: .seconds(1), failure))
        state.recordArrival(try delivery(1, failures: 1))
        _ = state.nextAction(slot: 0, now: 0)
        #expect(state.recordRenderEnd(slot: 0, result) == .end(.failed(failure)))
    }

    @Test("A render that waited until its time limit is retried like any other: the machine was busy")
    func waiting() throws {
        let result = WorkerState.AttemptResult(.timedOut(.seconds(120), wasComputing: false), of: try delivery(1).job)
        guard case .failed(let failure, maxRetries: .max) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(failure.reason == .timeout && failure.message.contains("was not finished after 120 seconds"))
    }

    @Test("A permanent failure ends the job at once")
    func rejections() throws {
        var state = WorkerState(settings: settings)
        state.recordArrival(try delivery(1))
        _ = state.nextAction(slot: 0, now: 0)
        let failure = Failure(.corrupt, "damaged")
        #expect(state.recordRenderEnd(slot: 0, .failed(failure)) == .end(.failed(failure)))
    }

    @Test(
        "A job that is too new fails on a single machine, and is passed to newer workers in a cluster, every time")
    func newerJobs() throws {
        let failure = Failure(.newerWriter, "It needs engine 9.")
        for passes in [false, true] {
            var settings = settings
            settings.passesNewerJobs = passes
            var state = WorkerState(settings: settings)
            for (seconds, failures) in [(1, UInt32(0)), (2, 3)] {
                let job = try delivery(1, failures: failures)
                state.recordArrival(job)
                #expect(state.nextAction(slot: 0, now: 0) == .start(job))
                let expected = WorkerState.Disposition.pass(delay: settings.retryDelay * seconds, failure)
                #expect(
                    state.recordRenderEnd(slot: 0, .failed(failure)) == (passes ? expected : .end(.failed(failure))))
            }
        }
    }

    @Test("Stopping drains the worker; stopping again aborts what is in flight")
    func stopping() throws {
        var state = WorkerState(settings: settings)
        state.recordArrival(try delivery(1))
        state.recordArrival(try delivery(2))
        _ = state.nextAction(slot: 0, now: 0)
        state.stop()
        #expect(state.phase == .draining)
        #expect(state.nextAction(slot: 1, now: 0) == .exit)
        state.stop()
        #expect(state.phase == .aborting)
        #expect(state.recordRenderEnd(slot: 0, .aborted) == .keep)
    }

    @Test("The deadline grows with the size of the file")
    func deadline() {
        #expect(settings.deadline(rawBytes: 0) == .seconds(120))
        #expect(settings.deadline(rawBytes: 128 << 20) == .seconds(240))
    }

    @Test("A photo whose name was taken is rendered again, and one that the disk refused stays open")
    func unpublished() throws {
        var state = WorkerState(settings: settings)
        let (taken, lost) = (try delivery(1), try delivery(2))
        for each in [taken, lost] { state.recordArrival(each) }
        #expect(state.nextAction(slot: 0, now: 0) == .start(taken))
        #expect(state.nextAction(slot: 1, now: 0) == .start(lost))
        for slot in 0...1 { _ = state.recordRenderEnd(slot: slot, .completed([])) }
        #expect(state.completed == 2)
        #expect(state.recordUnpublished(taken, nil) == .again)
        #expect(state.mayStartJobs)
        #expect(state.recordUnpublished(lost, Failure(.diskFull, "The library's disk is full.")) == .keep)
        #expect(state.completed == 0 && state.faults.isStorageLost)
        // It comes again after the worker has left its group, and is not waited for before.
        #expect(state.releaseUnstarted(of: [lost.position.partition]) == [lost.position])
    }
}
