/// Why a file cannot become a picture; the reasons are those a job can fail with.
public struct DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case notRaw = "not-raw"
        case unsupportedCamera = "unsupported-camera"
        case corrupt
        case tooLarge = "too-large"
        case outOfMemory = "out-of-memory"
    }

    public let reason: Reason
    /// One or two sentences for a person: what is wrong with the file, and what to do. The file is not named in it.
    public let message: String

    public init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    public var description: String { "\(reason.rawValue): \(message)" }
}

extension DecodeError {
    static func corrupt(_ what: String) -> DecodeError {
        DecodeError(.corrupt, "\(what) Copy the file again from the card or a backup.")
    }

    static func unsupported(_ what: String) -> DecodeError {
        DecodeError(.unsupportedCamera, "\(what) Convert the file to DNG and try that.")
    }

    static let outOfMemory = DecodeError(
        .outOfMemory, "There was not enough memory to decode the file. Run fewer jobs at once.")
}
