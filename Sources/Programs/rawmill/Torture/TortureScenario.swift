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
    /// Some sources crash, hang, take all memory, or kill the worker; with real photos some are no photos.
    case poison
    /// Brokers are killed and come back.
    case broker
    /// Every broker is away for a minute, and photos are submitted meanwhile.
    case outage
    /// Partitions' leaders and groups' coordinators move from broker to broker.
    case leaders
    /// Brokers answer requests by errors.
    case errors
    /// A jobs topic is deleted; the workers' offsets are set to the earliest and to the latest.
    case topics
    /// The library's disk is full for a while.
    case disk
    /// Any of the others that a single broker stands, but the full disk.
    case all

    /// What a turn of the harm does. Poison needs no turns: it is in the sources.
    var harms: [TortureHarm] {
        switch self {
        case .kill: [.kill]
        case .stop: [.stop]
        case .churn: [.drain]
        case .shuffle: [.resend]
        case .malformed: [.garbage]
        case .poison: []
        case .broker: [.broker]
        case .outage: [.outage]
        case .leaders: [.moveLeaders]
        case .errors: [.answerErrors]
        case .topics: [.deleteTopic, .resetOffsets]
        case .disk: [.fillDisk]
        case .all: [.kill, .kill, .stop, .drain, .resend, .garbage, .killRenderer, .broker]
        }
    }

    var hasPoison: Bool { self == .poison || self == .all }

    /// What the cluster meets at: neither kind can be harmed in every way.
    enum Need { case any, realKafka, imitation }

    var need: Need {
        switch self {
        case .stop, .broker, .topics, .all: .realKafka
        case .errors: .imitation
        default: .any
        }
    }

    /// More than one, so that there is somewhere to move to.
    var brokers: Int { self == .leaders || self == .errors ? 3 : 1 }

    /// Events of level error that belong to the harm.
    var explained: Set<String> {
        var events: Set<String> = []
        if harms.contains(.garbage) { events.insert("record.refused") }
        if harms.contains(.fillDisk) { events.formUnion(["storage.unavailable", "role.ended", "worker.paused"]) }
        if harms.contains(.killRenderer) || hasPoison { events.formUnion(["job.failed", "worker.paused"]) }
        // One that is killed before it is ready could not be started.
        if harms.contains(.killRenderer) { events.insert("storage.unavailable") }
        return events
    }
}

/// One kind of harm.
enum TortureHarm: String, CaseIterable, Sendable {
    case kill, stop, drain, resend, garbage, killRenderer, broker, outage, moveLeaders, answerErrors, deleteTopic
    case resetOffsets, fillDisk

    /// Time after it before the next, in milliseconds.
    var pause: ClosedRange<Int> {
        switch self {
        case .drain: 1000...3000
        case .deleteTopic, .resetOffsets: 2000...4000
        case .answerErrors, .moveLeaders: 100...400
        default: 100...900
        }
    }
}
