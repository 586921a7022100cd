/// What harm is done to a cluster, and what the checks must expect of it.
enum TortureScenario: String, CaseIterable, Sendable {
    /// kill -9 of workers, the coordinator and the cataloguer.
    case kill
    /// Workers are stopped (SIGSTOP) for longer than a session lasts, and go on.
    case stop
    /// Workers come and go in good order, every 1 to 3 seconds.
    case churn
    /// Jobs and manifests are delivered up to five times, in any order.
    case shuffle
    /// Random bytes, cut and oversized records, paths that lead out of their roots.
    case malformed
    /// Some sources are no photos, and render processes die while they work.
    case poison
    /// Brokers are killed and come back.
    case broker
    /// The library's disk is full for a while.
    case disk
    /// Any of the others but the full disk.
    case all

    /// What a turn of the harm does.
    var harms: [TortureHarm] {
        switch self {
        case .kill: [.kill]
        case .stop: [.stop]
        case .churn: [.drain]
        case .shuffle: [.resend]
        case .malformed: [.garbage]
        case .poison: [.killRenderer]
        case .broker: [.broker]
        case .disk: [.fillDisk]
        case .all: [.kill, .kill, .stop, .drain, .resend, .garbage, .killRenderer, .broker]
        }
    }

    /// Sources that are no photos: one in a hundred, at least one.
    var hasPoison: Bool { self == .poison || self == .all }

    /// Events of level error that belong to the harm.
    var explained: Set<String> {
        var events: Set<String> = []
        if harms.contains(.garbage) { events.insert("record.refused") }
        if harms.contains(.fillDisk) { events.formUnion(["storage.unavailable", "role.ended", "worker.paused"]) }
        if harms.contains(.killRenderer) || hasPoison { events.formUnion(["job.failed", "worker.paused"]) }
        return events
    }
}

/// One kind of harm.
enum TortureHarm: String, CaseIterable, Sendable {
    case kill, stop, drain, resend, garbage, killRenderer, broker, fillDisk
}
