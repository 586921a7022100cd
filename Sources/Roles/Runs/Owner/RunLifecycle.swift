package import Coordinator

/// The runs of a library, one at a time, as a value: each event returns the actions that the owner performs.
///
/// A request opens a run. The run ends once its requests are planned and no job was open for a while, so that other
/// commands can use the library. Requests that arrive while it ends go to the next run.
package struct RunLifecycle: Sendable {
    package enum Phase: Hashable, Sendable {
        case idle, opening, running, ending
        /// Waits for the next run after a failed one.
        case pausing
        case over
    }

    package enum Kind: Sendable {
        /// Runs follow each other until `stop`.
        case service
        /// One run, which takes requests until no work is left.
        case page
        /// One run, with the requests it starts with.
        case command
    }

    package enum Action: Hashable, Sendable {
        /// Open a run, then call `opened` or `ended`.
        case open
        case submit([RunRequest])
        /// The run takes no more requests, and ends when all jobs have ended.
        case finish
        /// The run ends after the photos in progress.
        case stop
        /// Call `timeIsUp` after this time. Replaces an earlier timer.
        case startTimer(Duration)
        case stopTimer
        /// No run follows.
        case end
    }

    /// The owner of the ledger that a caller uses.
    package enum LedgerAccess: Hashable, Sendable {
        /// The run has it open.
        case run
        /// No run has it, so the caller opens it.
        case library
        /// A run is opening it.
        case later
    }

    /// Time without an open job after which a run ends.
    package static let linger = Duration.seconds(2)
    /// Time between a failed run and the next.
    package static let pause = Duration.seconds(10)

    package private(set) var phase = Phase.idle
    private let kind: Kind
    private var waiting: [RunRequest] = []
    /// Requests of the present run in their order, and the number of planned ones.
    private var submitted: [RunRequest] = []
    private var plannedCount = 0
    /// True if a run is needed even without requests, to finish open jobs.
    private var isWanted = false
    private var expectedCount = 0
    private var borrowerCount = 0
    private var hasOpenJobs = true
    private var isLingering = false
    private var isStopping = false

    package init(_ kind: Kind) { self.kind = kind }

    /// True while a request waits for a run, or a run is needed to finish open jobs.
    package var hasRequests: Bool { !waiting.isEmpty || isWanted }

    // MARK: Requests

    package mutating func requested(_ requests: [RunRequest]) -> [Action] {
        guard phase == .running else {
            waiting += requests
            return begin()
        }
        submitted += requests
        return (requests.isEmpty ? [] : [.submit(requests)]) + settle()
    }

    /// Requests will arrive once their previews are rendered. The run does not end before.
    package mutating func expected() -> [Action] {
        expectedCount += 1
        return settle()
    }

    /// The requests of one call of `expected`.
    package mutating func expectedCame(_ requests: [RunRequest]) -> [Action] {
        expectedCount -= 1
        return requested(requests)
    }

    package mutating func wantsOpenJobs() -> [Action] {
        isWanted = true
        return begin()
    }

    // MARK: The run

    package mutating func opened() -> [Action] {
        (phase, submitted, waiting) = (.running, waiting, [])
        (plannedCount, isWanted, hasOpenJobs, isLingering) = (0, false, true, false)
        var actions: [Action] = submitted.isEmpty ? [] : [.submit(submitted)]
        if isStopping {
            actions.append(.stop)
        } else if kind == .command {
            phase = .ending
            actions.append(.finish)
        }
        return actions
    }

    /// A command has opened the run itself.
    package mutating func adopted(_ requests: [RunRequest]) -> [Action] {
        waiting = requests + waiting
        return opened()
    }

    /// The run has planned a request, or its ledger has changed.
    ///
    /// - Parameter plannedCount: requests planned since the run began.
    package mutating func progressed(plannedCount: Int, hasOpenJobs: Bool) -> [Action] {
        (self.plannedCount, self.hasOpenJobs) = (plannedCount, hasOpenJobs)
        return settle()
    }

    /// The run has ended, or failed to open. After a failure, the next one plans the remaining requests and finishes
    /// open jobs.
    package mutating func ended(hasFailed: Bool) -> [Action] {
        var actions: [Action] = isLingering ? [.stopTimer] : []
        isLingering = false
        if hasFailed {
            waiting = submitted.dropFirst(plannedCount) + waiting
            isWanted = true
        }
        submitted = []
        if isStopping || kind != .service {
            phase = .over
            actions.append(.end)
        } else if hasFailed {
            phase = .pausing
            actions.append(.startTimer(Self.pause))
        } else {
            phase = .idle
            actions += begin()
        }
        return actions
    }

    package mutating func timeIsUp() -> [Action] {
        switch phase {
        case .running where isLingering:
            (phase, isLingering) = (.ending, false)
            return [.finish]
        case .pausing:
            phase = .idle
            return begin()
        default: return []
        }
    }

    /// Ends the present run; no other follows.
    package mutating func stop() -> [Action] {
        isStopping = true
        switch phase {
        case .running, .ending: return [.stop]
        case .opening, .over: return []
        case .idle, .pausing:
            defer { phase = .over }
            return phase == .pausing ? [.stopTimer, .end] : [.end]
        }
    }

    // MARK: The ledger

    package var ledgerAccess: LedgerAccess {
        switch phase {
        case .running, .ending: .run
        case .opening: .later
        case .idle, .pausing, .over: .library
        }
    }

    /// A caller has opened the library's ledger. No run opens before it is returned.
    package mutating func ledgerBorrowed() { borrowerCount += 1 }

    package mutating func ledgerReturned() -> [Action] {
        borrowerCount -= 1
        return phase == .idle ? begin() : []
    }

    // MARK: Steps

    /// Opens a run if one is needed and possible. A new request ends a pause.
    private mutating func begin() -> [Action] {
        guard kind == .service, phase == .idle || phase == .pausing, hasRequests, borrowerCount == 0, !isStopping
        else { return [] }
        defer { phase = .opening }
        return phase == .pausing ? [.stopTimer, .open] : [.open]
    }

    /// Starts or stops the timer of an idle run.
    private mutating func settle() -> [Action] {
        let isIdle = expectedCount == 0 && plannedCount >= submitted.count && !hasOpenJobs
        guard phase == .running, isIdle != isLingering else { return [] }
        isLingering.toggle()
        return [isLingering ? .startTimer(Self.linger) : .stopTimer]
    }
}
