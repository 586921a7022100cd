/// The harm to a cluster, and its effects that the checks must expect.
enum Scenario: String, CaseIterable, Sendable {
    /// Workers, the coordinator and the cataloguer are killed with SIGKILL.
    case kill
    /// Workers are stopped (SIGSTOP) for longer than a session lasts, and continue.
    case stop
    /// Workers leave cleanly and others join, every 1 to 3 seconds.
    case churn
    /// Jobs and manifests are delivered up to five times, in any order.
    case shuffle
    /// Random bytes, truncated and oversized records, paths that leave their roots.
    case malformed
    /// Some sources crash, hang, take all memory, or kill the worker; with real photos, some are not photos.
    case poison
    /// Brokers are killed and restarted.
    case broker
    /// Every broker is away for a minute, and photos are submitted meanwhile.
    case outage
    /// Partition leaders and group coordinators move from broker to broker.
    case leaders
    /// Brokers answer requests with errors.
    case errors
    /// The topics of jobs, orders, results, manifests and states are deleted, one at a time; the workers' offsets are
    /// set to the earliest and to the latest.
    case topics
    /// The library's disk is full for a while.
    case disk
    /// Roles are killed and restarted with a failing call to the library's disk, and for a while with all later calls
    /// failing.
    case faults
    /// Kafka is deleted and set up again at the same address, while some roles are stopped.
    case rebuild
    /// A worker restarts with an empty folder in place of its library or archive, and gets the right one later.
    case mounts
    /// Roles of another library are started on the cluster's topics.
    case strangers
    /// Users edit, delete and rename photos and put files where photos will be, while newer edits arrive.
    case people
    /// Each RAW is at three paths, with sidecars and other companions, and is moved while roles are killed.
    case duplicates
    /// `rawmill convert --out` is killed with SIGKILL and restarted. No cluster.
    case export
    /// The PostgreSQL server with library and ledger is killed and restarted, coordinators are stopped and continue
    /// after another has taken over, and roles are killed.
    case database
    /// All other harm that a single broker supports, except the full disk.
    case all

    /// The kinds of harm to choose from. Poison is in the sources instead.
    var harms: [Harm] {
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
        case .faults: [.failCall, .failCall, .failCall, .kill]
        case .rebuild: [.rebuildKafka]
        case .mounts: [.unmount]
        case .strangers: [.stranger]
        case .people: [.editPhotos, .editPhotos, .editPhotos, .kill]
        case .duplicates: [.kill, .kill, .editCompanions]
        case .database: [.killDatabase, .stopCoordinator, .kill]
        // See `ExportRun`.
        case .export: []
        case .all: [.kill, .kill, .stop, .drain, .resend, .garbage, .killRenderer, .broker, .editPhotos]
        }
    }

    var hasPoison: Bool { self == .poison || self == .all }

    /// Whether its photos are always rendered: the null renderer moves no RAW into the library, and an export has none.
    var needsPictures: Bool { self == .duplicates || self == .export }

    /// The brokers that a scenario supports.
    enum BrokerKind { case any, realKafka, mock }

    var brokerKind: BrokerKind {
        switch self {
        case .stop, .broker, .topics, .rebuild, .all: .realKafka
        case .errors: .mock
        default: .any
        }
    }

    /// Whether it needs a server for library and ledger.
    var needsDatabase: Bool { self == .database }

    /// Several if leaders need another broker to move to.
    var brokers: Int { self == .leaders || self == .errors ? 3 : 1 }

    /// Error events that the harm explains.
    var explainedEvents: Set<String> {
        var events: Set<String> = []
        if harms.contains(.garbage) { events.insert("record.refused") }
        if harms.contains(.fillDisk) { events.formUnion(["storage.unavailable", "role.ended", "worker.paused"]) }
        if harms.contains(.failCall) {
            events.formUnion(["storage.unavailable", "role.ended", "worker.paused", "database.unavailable"])
        }
        if harms.contains(.unmount) { events.insert("storage.unavailable") }
        if harms.contains(.killRenderer) || hasPoison { events.formUnion(["job.failed", "worker.paused"]) }
        if harms.contains(.killDatabase) {
            events.formUnion(["storage.unavailable", "database.unavailable", "coordinator.steps-down", "role.ended"])
        }
        // A render process that is killed before it is ready counts as one that could not be started.
        if harms.contains(.killRenderer) { events.insert("storage.unavailable") }
        return events
    }
}

enum Harm: String, CaseIterable, Sendable {
    case kill, stop, drain, resend, garbage, killRenderer, broker, outage, moveLeaders, answerErrors, deleteTopic
    case resetOffsets, fillDisk, failCall, rebuildKafka, unmount, stranger, editPhotos, editCompanions
    case killDatabase, stopCoordinator

    /// The pause after it, in milliseconds.
    var pause: ClosedRange<Int> {
        switch self {
        case .drain: 1000...3000
        case .deleteTopic, .resetOffsets, .rebuildKafka: 2000...4000
        case .answerErrors, .moveLeaders: 100...400
        default: 100...900
        }
    }
}
