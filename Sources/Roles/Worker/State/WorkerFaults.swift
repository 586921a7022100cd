internal import Concurrency
internal import Jobs

struct WorkerFaults: Sendable {
    /// A fault takes precedence over a request.
    var pause: WorkerPause? { fault ?? (isPauseRequested ? .requested : nil) }
    var isPauseRequested = false
    private var fault: WorkerPause?
    /// Number of faults so far. After each one the worker leaves its groups, even if the fault has ended, so that its
    /// unstarted deliveries come again, here or elsewhere.
    private(set) var count = 0
    private(set) var consecutiveFailures = 0
    /// Storage faults since a job last completed.
    private(set) var storageFailures = 0

    var isStorageLost: Bool { if case .storage = fault { true } else { false } }
    var hasFault: Bool { fault != nil }

    /// Delay before the storage is checked again. It grows while the storage recovers only briefly.
    var probeDelay: Duration { Self.probeBackoff.delay(afterFailures: storageFailures) }
    private static let probeBackoff = Backoff(initial: .seconds(1), max: .seconds(32))

    mutating func recordSuccess() {
        consecutiveFailures = 0
        storageFailures = 0
    }

    /// The threshold is nil for no limit.
    mutating func countFailure(_ failure: Failure, threshold: Int?) {
        storageFailures = 0
        consecutiveFailures += 1
        if let threshold, consecutiveFailures >= threshold, fault == nil {
            raise(.failures(consecutiveFailures, last: failure))
        }
    }

    /// Returns false if the storage was already lost.
    mutating func recordStorageLoss(_ failure: Failure) -> Bool {
        if isStorageLost { return false }
        storageFailures += 1
        raise(.storage(failure))
        return true
    }

    mutating func recordStorageRecovery() { if isStorageLost { fault = nil } }

    /// Ends a requested pause, and a fault of failures in a row. Returns false if the storage is still lost.
    mutating func resume() -> Bool {
        isPauseRequested = false
        if isStorageLost { return false }
        fault = nil
        consecutiveFailures = 0
        return true
    }

    private mutating func raise(_ fault: WorkerPause) {
        self.fault = fault
        count += 1
    }
}
