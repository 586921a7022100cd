internal import Concurrency
internal import Jobs

/// Why a worker starts no jobs: a request, failures in a row, or its storage.
struct WorkerFaults: Sendable {
    /// Why no jobs are started: a fault before a request.
    var pause: WorkerPause? { fault ?? (isPauseRequested ? .requested : nil) }
    /// True while the coordinator or an operator wants no jobs done.
    var isPauseRequested = false
    /// Failures in a row, or the storage.
    private var fault: WorkerPause?
    /// How many faults there were. After each one the worker leaves its groups, even if the fault is over by then, so
    /// that what it had not started comes again, here or elsewhere.
    private(set) var count = 0
    private(set) var consecutiveFailures = 0
    /// Storage faults since a job last completed.
    private(set) var storageFailures = 0

    /// True while the storage is not to be used.
    var isStorageLost: Bool { if case .storage = fault { true } else { false } }
    /// True while the worker must leave the jobs to others.
    var hasFault: Bool { fault != nil }

    /// Wait before the storage is tried again. It grows while the storage comes back only for moments.
    var probeDelay: Duration { Self.probeBackoff.delay(afterFailures: storageFailures) }
    private static let probeBackoff = Backoff(initial: .seconds(1), max: .seconds(32))

    /// A job has completed.
    mutating func recordSuccess() {
        consecutiveFailures = 0
        storageFailures = 0
    }

    /// - Parameter threshold: so many failures in a row are a fault; nil for no limit.
    mutating func countFailure(_ failure: Failure, threshold: Int?) {
        storageFailures = 0
        consecutiveFailures += 1
        if let threshold, consecutiveFailures >= threshold, fault == nil {
            raise(.failures(consecutiveFailures, last: failure))
        }
    }

    /// - Returns: false if the storage was lost already.
    mutating func recordStorageLoss(_ failure: Failure) -> Bool {
        if isStorageLost { return false }
        storageFailures += 1
        raise(.storage(failure))
        return true
    }

    mutating func recordStorageRecovery() { if isStorageLost { fault = nil } }

    /// Ends a requested pause, and a fault of failures in a row.
    ///
    /// - Returns: false if the storage's fault stays.
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
