internal import Decode
internal import Develop
internal import Encode
internal import Jobs

// Each stage throws its own error. Here they become the job's failure, with the file's name and what to do.

/// Decodes a RAW.
func catchingDecodeErrors<Value: ~Copyable>(
    of file: FileReference, _ body: () throws(DecodeError) -> Value
) throws(Failure) -> Value {
    do throws(DecodeError) { return try body() } catch {
        throw Failure(FailureReason(error.reason), "\(file): \(error.message)")
    }
}

/// Encodes a picture of a RAW.
func catchingEncodeErrors<Value>(
    of file: FileReference, _ body: () throws(EncodeError) -> Value
) throws(Failure) -> Value {
    do throws(EncodeError) { return try body() } catch { throw Failure(error, file) }
}

extension FailureReason {
    fileprivate init(_ reason: DecodeError.Reason) {
        self =
            switch reason {
            case .notRaw: .notRaw
            case .unsupportedCamera: .unsupportedCamera
            case .corrupt: .corrupt
            case .tooLarge: .tooLarge
            case .outOfMemory: .outOfMemory
            }
    }
}

extension Failure {
    /// A RAW cannot be developed.
    init(_ error: DevelopError, _ file: FileReference) {
        let reason: FailureReason =
            switch error.kind {
            case .inconsistentFacts: .corrupt
            case .unsupportedLayout: .unsupportedCamera
            case .settings: .malformedRecord
            }
        self.init(reason, "\(file) cannot be developed: \(error.description).")
    }

    /// A picture cannot be encoded.
    init(_ error: EncodeError, _ file: FileReference) {
        switch error {
        case .tooLarge, .tooLargeForFormat: self.init(.tooLarge, "\(file): \(error). Give a smaller --long-edge.")
        case .outOfMemory: self.init(.outOfMemory, "\(file): \(error).")
        default: self.init(.internalError, "\(file): \(error).")
        }
    }
}
