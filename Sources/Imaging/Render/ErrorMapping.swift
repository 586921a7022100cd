internal import Decode
internal import Develop
internal import Encode
internal import Jobs

// Maps each stage's errors to failures of the job, with file name and remedy.

func catchingDecodeErrors<Value: ~Copyable>(
    of file: FileReference, _ body: () throws(DecodeError) -> Value
) throws(Failure) -> Value {
    do throws(DecodeError) { return try body() } catch {
        throw Failure(FailureReason(error.reason), "\(file): \(error.message)")
    }
}

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
    init(_ error: DevelopError, _ file: FileReference) {
        let reason: FailureReason =
            switch error.kind {
            case .inconsistentFacts: .corrupt
            case .unsupportedLayout: .unsupportedCamera
            case .settings: .malformedRecord
            }
        self.init(reason, "\(file) cannot be developed: \(error.description).")
    }

    init(_ error: EncodeError, _ file: FileReference) {
        switch error {
        case .tooLarge, .tooLargeForFormat: self.init(.tooLarge, "\(file): \(error). Give a smaller --long-edge.")
        case .outOfMemory: self.init(.outOfMemory, "\(file): \(error).")
        default: self.init(.internalError, "\(file): \(error).")
        }
    }
}
