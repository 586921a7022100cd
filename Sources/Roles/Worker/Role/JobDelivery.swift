internal import Broker
internal import Jobs
internal import Records

/// One delivery of a job, from the topic it came on to its end.
struct JobDelivery: Hashable, Sendable {
    let delivery: Delivery
    let queue: JobQueueKind
    let job: Job
    /// Renders of it that failed before.
    let failures: UInt32
    /// By the worker's clock, in milliseconds.
    let notBefore: Int64
    /// The batch's when the record was sent; a status with a higher one puts it out of date.
    let epoch: UInt32
    /// One more start without an end parks it: so nothing else is in flight beside that one, and who takes the worker
    /// down is known. Beside poison its neighbours lose their starts too.
    let runsAlone: Bool
}

/// Where a worker gets jobs, in the order of their right of way.
enum JobQueueKind: Int, Hashable, Sendable, CaseIterable {
    case interactive, retry, bulk

    var topic: String {
        switch self {
        case .interactive: Topics.interactiveJobs
        case .retry: Topics.retry
        case .bulk: Topics.bulkJobs
        }
    }

    /// Deliveries in flight at once. Tries that wait for their time count, so that there are more of them.
    func window(slots: Int) -> Int { self == .retry ? max(64, 2 * slots) : slots + 2 }
}

/// The consumer groups of all workers, one a topic: so that a full window of bulk jobs cannot keep an interactive one
/// from being delivered.
public enum WorkerGroup {
    public static func name(topic: String) -> String { "\(topic).workers" }
}

/// What a retried job's record has beside the job.
enum RetryHeader {
    static let failures = JobHeader.failures
    static let notBefore = JobHeader.notBefore

    /// The headers for one more try; those of others are passed on.
    static func headers(_ record: Record, failures: UInt32, notBefore: Int64) -> [Header] {
        record.headers().filter { ![Self.failures, Self.notBefore].contains($0.name) } + [
            Header(name: Self.failures, value: Array("\(failures)".utf8)),
            Header(name: Self.notBefore, value: Array("\(notBefore)".utf8)),
        ]
    }

    /// 0 where the header is missing or no number.
    static func number<Number: FixedWidthInteger>(_ name: String, of record: Record) -> Number {
        record.header(name).flatMap { Number(String(decoding: $0.prefix(32), as: UTF8.self)) } ?? 0
    }
}
