import Coordinator
import Testing

@testable import Runs

@Suite("The runs of a library")
struct RunLifecycleTests {
    private static func request(_ name: String) -> RunRequest {
        RunRequest(sources: [Array("/raw/\(name)".utf8)], submissions: [])
    }

    private let first = Self.request("first")
    private let second = Self.request("second")
    private let third = Self.request("third")
    private var runs = RunLifecycle(.service)

    /// A run that was opened for the first request, and has nothing to do.
    private mutating func workUntilIdle() {
        #expect(runs.requested([first]) == [.open])
        #expect(runs.opened() == [.submit([first])])
        #expect(runs.progressed(plannedCount: 0, hasOpenJobs: false) == [])
        #expect(runs.progressed(plannedCount: 1, hasOpenJobs: true) == [])
        #expect(runs.progressed(plannedCount: 1, hasOpenJobs: false) == [.startTimer(RunLifecycle.linger)])
    }

    @Test("A request opens a run, which ends when nothing is left to do for a while")
    mutating func ends() {
        #expect(runs.phase == .idle && !runs.hasRequests)
        workUntilIdle()
        #expect(runs.timeIsUp() == [.finish])
        #expect(runs.phase == .ending)
        #expect(runs.ended(hasFailed: false) == [])
        #expect(runs.phase == .idle && !runs.hasRequests)
    }

    @Test("Requests that come while a run opens go to that run, at once")
    mutating func opening() {
        #expect(runs.requested([first]) == [.open])
        #expect(runs.hasRequests)
        #expect(runs.requested([second]) == [])
        #expect(runs.opened() == [.submit([first, second])])
        #expect(!runs.hasRequests)
    }

    @Test("A request to an idle run stops its timer, until it is planned and rendered")
    mutating func restarts() {
        workUntilIdle()
        #expect(runs.requested([second]) == [.submit([second]), .stopTimer])
        // The timer had rung before it was stopped.
        #expect(runs.timeIsUp() == [])
        #expect(runs.progressed(plannedCount: 1, hasOpenJobs: false) == [])
        #expect(runs.progressed(plannedCount: 2, hasOpenJobs: true) == [])
        #expect(runs.progressed(plannedCount: 2, hasOpenJobs: false) == [.startTimer(RunLifecycle.linger)])
    }

    @Test("A job that is retried during the pause keeps the run")
    mutating func retried() {
        workUntilIdle()
        #expect(runs.progressed(plannedCount: 1, hasOpenJobs: true) == [.stopTimer])
        #expect(runs.progressed(plannedCount: 1, hasOpenJobs: false) == [.startTimer(RunLifecycle.linger)])
    }

    @Test("A request to a run that is ending opens the next one")
    mutating func ending() {
        workUntilIdle()
        _ = runs.timeIsUp()
        #expect(runs.requested([second]) == [])
        #expect(runs.ended(hasFailed: false) == [.open])
        #expect(runs.opened() == [.submit([second])])
    }

    @Test("A run does not end while requests are expected")
    mutating func expected() {
        workUntilIdle()
        #expect(runs.expected() == [.stopTimer])
        #expect(runs.progressed(plannedCount: 1, hasOpenJobs: false) == [])
        #expect(runs.expectedCame([second]) == [.submit([second])])
        #expect(runs.progressed(plannedCount: 2, hasOpenJobs: false) == [.startTimer(RunLifecycle.linger)])
    }

    @Test("Expected requests that turn out to be none let the run end")
    mutating func expectedNothing() {
        workUntilIdle()
        #expect(runs.expected() == [.stopTimer])
        #expect(runs.expectedCame([]) == [.startTimer(RunLifecycle.linger)])
    }

    @Test("After a failure and a pause, the next run plans the rest and finishes what is open")
    mutating func failure() {
        #expect(runs.requested([first, second]) == [.open])
        #expect(runs.opened() == [.submit([first, second])])
        #expect(runs.progressed(plannedCount: 1, hasOpenJobs: true) == [])
        #expect(runs.requested([third]) == [.submit([third])])
        #expect(runs.ended(hasFailed: true) == [.startTimer(RunLifecycle.pause)])
        #expect(runs.phase == .pausing && runs.hasRequests && runs.ledgerAccess == .library)
        #expect(runs.timeIsUp() == [.open])
        #expect(runs.opened() == [.submit([second, third])])
    }

    @Test("A run that cannot be opened is opened again after a pause, or for a new request")
    mutating func cannotOpen() {
        #expect(runs.requested([first]) == [.open])
        #expect(runs.ended(hasFailed: true) == [.startTimer(RunLifecycle.pause)])
        #expect(runs.requested([second]) == [.stopTimer, .open])
        #expect(runs.opened() == [.submit([first, second])])
    }

    @Test("Open jobs need a run without requests")
    mutating func openJobs() {
        #expect(runs.wantsOpenJobs() == [.open])
        #expect(runs.opened() == [])
        #expect(runs.wantsOpenJobs() == [])
        #expect(runs.progressed(plannedCount: 0, hasOpenJobs: true) == [])
        #expect(runs.progressed(plannedCount: 0, hasOpenJobs: false) == [.startTimer(RunLifecycle.linger)])
    }

    @Test("No run opens while a caller has the ledger")
    mutating func ledger() {
        #expect(runs.ledgerAccess == .library)
        runs.ledgerBorrowed()
        runs.ledgerBorrowed()
        #expect(runs.requested([first]) == [])
        #expect(runs.ledgerReturned() == [])
        #expect(runs.ledgerReturned() == [.open])
        #expect(runs.ledgerAccess == .later)
        _ = runs.opened()
        #expect(runs.ledgerAccess == .run)
    }

    @Test("A caller that returns the ledger does not shorten the pause after a failure")
    mutating func ledgerInPause() {
        _ = runs.requested([first])
        _ = runs.ended(hasFailed: true)
        runs.ledgerBorrowed()
        #expect(runs.timeIsUp() == [])
        #expect(runs.ledgerReturned() == [.open])
        _ = runs.ended(hasFailed: true)
        runs.ledgerBorrowed()
        #expect(runs.ledgerReturned() == [])
        #expect(runs.phase == .pausing)
    }

    @Test("Stopping ends the run in hand, and no other follows")
    mutating func stops() {
        workUntilIdle()
        #expect(runs.stop() == [.stop])
        #expect(runs.requested([second]) == [.submit([second]), .stopTimer])
        #expect(runs.ended(hasFailed: true) == [.end])
        #expect(runs.phase == .over)
        #expect(runs.requested([third]) == [])
        #expect(runs.stop() == [])
    }

    @Test("Stopping without a run, in a pause, and while a run opens")
    mutating func stopsElsewhere() {
        var idle = RunLifecycle(.service)
        #expect(idle.stop() == [.end])
        var pausing = RunLifecycle(.service)
        _ = pausing.wantsOpenJobs()
        _ = pausing.ended(hasFailed: true)
        #expect(pausing.stop() == [.stopTimer, .end])
        #expect(runs.requested([first]) == [.open])
        #expect(runs.stop() == [])
        #expect(runs.opened() == [.submit([first]), .stop])
        #expect(runs.ended(hasFailed: false) == [.end])
    }

    @Test(
        "A command's run takes its own requests and ends when they are done, failed or not", arguments: [false, true])
    func command(hasFailed: Bool) {
        var runs = RunLifecycle(.command)
        #expect(runs.adopted([first, second]) == [.submit([first, second]), .finish])
        #expect(runs.progressed(plannedCount: 2, hasOpenJobs: false) == [])
        #expect(runs.ended(hasFailed: hasFailed) == [.end])
    }

    @Test("A command without requests only finishes what is open")
    func commandWithoutRequests() {
        var runs = RunLifecycle(.command)
        #expect(runs.adopted([]) == [.finish])
    }

    @Test("A page's run takes requests until nothing is left to do, and none follows")
    func page() {
        var runs = RunLifecycle(.page)
        // The page is open before its run is.
        #expect(runs.requested([second]) == [])
        #expect(runs.adopted([first]) == [.submit([first, second])])
        #expect(runs.requested([third]) == [.submit([third])])
        #expect(runs.progressed(plannedCount: 3, hasOpenJobs: false) == [.startTimer(RunLifecycle.linger)])
        #expect(runs.timeIsUp() == [.finish])
        #expect(runs.requested([first]) == [])
        #expect(runs.ended(hasFailed: false) == [.end])
        #expect(runs.phase == .over)
    }
}
