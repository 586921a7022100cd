/// Why a file cannot become a picture.
public struct DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure; the reasons are those a job can fail with.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The file is something else than a RAW.
        case notRaw = "not-raw"
        /// A RAW that neither we nor LibRaw can decode.
        case unsupportedCamera = "unsupported-camera"
        /// A RAW that is damaged.
        case corrupt
        /// The picture or the file is larger than is allowed.
        case tooLarge = "too-large"
        /// There was no memory for it.
        case outOfMemory = "out-of-memory"
    }

    /// The kind of failure.
    public let reason: Reason
    /// One or two sentences for a person: what is wrong with the file, and what to do. The file is not named in it.
    public let message: String

    /// A failure with its sentences.
    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// The reason and the sentences.
    public var description: String { "\(reason.rawValue): \(message)" }
}

/// They say what happened. What to do is the reason's own sentence, which stands beside each of them.
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
        .outOfMemory, "There was not enough memory to decode the file.")

    static let cut = corrupt("The file ends before its samples do.")

    static let damagedHeader = corrupt("The file's header is damaged.")

    static let damagedSamples = corrupt("The samples in the file are damaged.")

    static let contradiction = corrupt("The file's header contradicts itself.")

    static let zeroRuns = corrupt("A part of the picture was never written: its samples are all zero.")

    static let unwritten = corrupt("The file does not hold all samples of its picture.")

    static let otherSamples = corrupt("The samples are not those the camera wrote.")

    static let unknownCamera = unsupported("LibRaw does not know this camera or its way of compressing.")

    static let unknownCoding = unsupported("The samples are stored in a way that is not known.")
}
