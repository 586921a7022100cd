internal import Broker
internal import Jobs
internal import Records

struct JobDelivery: Hashable, Sendable {
    let brokerDelivery: Delivery
    let queue: JobQueueKind
    let job: Job
    /// Failed renders of the job so far.
    let failures: UInt32
    /// Earliest start, in milliseconds of the worker's clock.
    let notBefore: Int64
    /// The batch's epoch when the record was sent. A status with a higher one makes the record out of date.
    let epoch: UInt32
    /// Whether its worker ended while rendering it; see ``Probation``. It then runs alone, so that if the worker dies
    /// again, no other job is suspected.
    let runsAlone: Bool

    var position: Position { brokerDelivery.position }
    var record: Record { brokerDelivery.record }
}

/// A worker's queues, by priority.
enum JobQueueKind: Int, Hashable, Sendable, CaseIterable {
    case interactive, retry, bulk

    var topic: String {
        switch self {
        case .interactive: Topics.interactiveJobs
        case .retry: Topics.retry
        case .bulk: Topics.bulkJobs
        }
    }

    /// Maximum number of deliveries in flight: those being rendered, those whose files and manifests are being made
    /// durable, and a few that wait. The retry queue gets more, because delayed retries count.
    func window(slots: Int) -> Int {
        let window = slots * (1 + WorkerSettings.openCompletionsPerSlot) + 2
        return self == .retry ? max(64, window) : window
    }
}

/// The consumer groups of all workers. Each topic has a separate one, so that a full window of bulk jobs cannot block
/// an interactive one.
public enum WorkerGroup {
    /// - Parameter topic: a topic of jobs.
    public static func name(topic: String) -> String { "\(topic).workers" }
}

enum RetryHeader {
    static let failures = JobHeader.failures
    static let notBefore = JobHeader.notBefore

    /// The record's headers, with those of a retry replaced. `notBefore` is in milliseconds since 1970.
    static func headers(_ record: Record, failures: UInt32, notBefore: Int64) -> [Header] {
        record.headers().filter { ![Self.failures, Self.notBefore].contains($0.name) } + [
            Header(name: Self.failures, value: Array("\(failures)".utf8)),
            Header(name: Self.notBefore, value: Array("\(notBefore)".utf8)),
        ]
    }

    static func number<Number: FixedWidthInteger>(_ name: String, of record: Record) -> Number {
        record.header(name).flatMap { Number(String(decoding: $0.prefix(32), as: UTF8.self)) } ?? 0
    }
}
