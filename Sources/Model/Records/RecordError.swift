public import Jobs

/// Why a record could not be read. Neither kind ever becomes readable here: both are dead letters.
public enum RecordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It holds something that this version does not know.
    case newerWriter(String)
    /// It is not a record, or holds an invalid value.
    case malformed(String)

    /// What is wrong, as a part of a sentence.
    public var description: String {
        switch self {
        case .newerWriter(let what): "written by a newer Rawmill: \(what)"
        case .malformed(let what): "not a record: \(what)"
        }
    }

    /// The error as a job's failure.
    public var failure: Failure {
        switch self {
        case .newerWriter: Failure(.newerWriter, "The record was \(description). Upgrade this Rawmill.")
        case .malformed: Failure(.malformedRecord, "The bytes are \(description).")
        }
    }
}

/// The largest records that are read, in bytes. Longer ones are malformed and not even parsed.
public enum RecordLimit {
    /// A record of the broker that holds a job, a manifest, a control or a status.
    public static let record = 64 * 1024
    /// A dead letter, which holds a whole record.
    public static let deadLetter = 128 * 1024
    /// A message on the pipe of a render process.
    public static let pipe = 1024 * 1024
    /// The questions to a metadata process, of which each takes a byte.
    public static let metadataQuestions = 128
    /// A reply of a metadata process. An identity comes from one segment of a JPEG, which has less than 64 KiB, and its texts
    /// only get shorter when they are unescaped.
    public static let metadataReply = 128 * 1024

    /// The memory for an inquiry or its answer: the files that it holds, and thousands of names. Many small messages in a large
    /// one must not take many times its size.
    static func inquiryAllocation(_ bytes: [UInt8]) -> Int { bytes.count + 4 << 20 }

    /// Longest message for people that is written. Longer texts are cut, so that no text makes a record too large to send.
    static let message = 4096
    /// Longest name that is written.
    static let name = 256
}
