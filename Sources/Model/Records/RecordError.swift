public import Jobs

/// Why a record could not be read. Both kinds are permanent: the record becomes a dead letter.
public enum RecordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It contains something that this version does not know.
    case newerWriter(String)
    /// It is not a record, or contains an invalid value.
    case malformed(String)

    /// The problem, as a part of a sentence.
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

/// The size limits of records, in bytes. Longer ones are malformed and not even parsed.
public enum RecordLimit {
    /// A record of the broker with a job, a manifest, a control or a status.
    public static let record = 64 * 1024
    /// A dead letter, which contains a whole record.
    public static let deadLetter = 128 * 1024
    /// A message on the pipe of a render process.
    public static let pipe = 1024 * 1024
    /// The questions to a metadata process, a byte each.
    public static let metadataQuestions = 128
    /// A reply of a metadata process. An identity comes from one JPEG segment of less than 64 KiB, and its texts only
    /// shrink when unescaped.
    public static let metadataReply = 128 * 1024

    /// The memory for an inquiry or its answer: its files, and thousands of names. Many small messages in a large one
    /// must not take many times its size.
    static func inquiryAllocation(_ bytes: [UInt8]) -> Int { bytes.count + 4 << 20 }

    /// The longest message for users. Longer texts are cut, so that no text makes a record too large to send.
    static let message = 4096
    static let name = 256
}
