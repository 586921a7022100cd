/// Reason why a file cannot become a picture.
public struct DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kind of failure; jobs fail with the same reasons.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The file is not a RAW.
        case notRaw = "not-raw"
        /// Neither Rawmill nor LibRaw can decode the RAW.
        case unsupportedCamera = "unsupported-camera"
        /// The RAW is damaged.
        case corrupt
        /// The picture or the file exceeds a limit.
        case tooLarge = "too-large"
        /// Memory ran out.
        case outOfMemory = "out-of-memory"
    }

    /// Kind of failure.
    public let reason: Reason
    /// What is wrong with the file, in one or two sentences. Does not name the file.
    public let message: String

    /// Creates an error from reason and message.
    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// Reason and message.
    public var description: String { "\(reason.rawValue): \(message)" }
}

/// Messages state the cause. Callers show the remedy, which depends only on the reason.
extension DecodeError {
    static func notRaw(_ kind: String) -> DecodeError {
        DecodeError(.notRaw, "The file is \(kind), not a camera RAW.")
    }

    static func corrupt(_ what: String) -> DecodeError {
        DecodeError(.corrupt, what)
    }

    static func unsupported(_ what: String) -> DecodeError {
        DecodeError(.unsupportedCamera, what)
    }

    static let outOfMemory = DecodeError(
        .outOfMemory, "The file needs more memory than is available.")

    static let cut = corrupt("The file ends before its last sample.")

    static let damagedHeader = corrupt("The file's header is damaged.")

    static let damagedSamples = corrupt("The samples in the file are damaged.")

    static let contradiction = corrupt("The file's header contradicts itself.")

    static let zeroRuns = corrupt("Part of the picture was never written: its samples are all zero.")

    static let unwritten = corrupt("Samples of the picture are missing in the file.")

    static let otherSamples = corrupt("The samples do not match the checksum in the file.")

    static let unknownCamera = unsupported("LibRaw does not support this camera or its compression.")

    static let unknownCoding = unsupported("The coding of the samples is unknown.")
}
