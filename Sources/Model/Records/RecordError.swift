public import Jobs

/// Why a record could not be read. Neither kind ever becomes readable here: both are dead letters.
public enum RecordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It says something this version does not know.
    case newerWriter(String)
    /// It is no record, or holds something that cannot be.
    case malformed(String)

    public var description: String {
        switch self {
        case .newerWriter(let what): "written by a newer Rawmill: \(what)"
        case .malformed(let what): "not a record: \(what)"
        }
    }

    /// The same as a job's failure.
    public var failure: Failure {
        switch self {
        case .newerWriter: Failure(.newerWriter, "The record was \(description). Upgrade this Rawmill.")
        case .malformed: Failure(.malformedRecord, "The bytes are \(description).")
        }
    }
}

/// The largest bytes that are read; longer ones are malformed without a look inside.
public enum RecordLimit {
    /// A record of the broker that holds a job, a manifest, a control or a status.
    public static let record = 64 * 1024
    /// A dead letter holds a whole record.
    public static let deadLetter = 128 * 1024
    /// What passes over the pipe of a render process.
    public static let pipe = 1024 * 1024

    /// Longest texts that are written, in bytes: a message for people, a name. What is longer is cut, so that no
    /// text can make a record too large to send.
    static let message = 4096
    static let name = 256
}
