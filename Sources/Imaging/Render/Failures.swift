internal import Decode
internal import Develop
internal import Encode
internal import Jobs
internal import Metadata
internal import Storage

/// Runs a step on a source file; what storage refuses becomes the job's failure, with the file's name.
func sourceFailure<Value>(_ file: FileReference, _ body: () throws(StorageError) -> Value) throws(Failure) -> Value {
    do throws(StorageError) { return try body() } catch { throw Failure.ofSource(error, file) }
}

func decodeFailure<Value: ~Copyable>(
    _ source: Source, _ body: () throws(DecodeError) -> Value
) throws(Failure) -> Value {
    do throws(DecodeError) { return try body() } catch {
        throw Failure(FailureReason(error.reason), "\(source.raw.file): \(error.message)")
    }
}

func encodeFailure<Value>(
    _ source: Source, _ body: () throws(EncodeError) -> Value
) throws(Failure) -> Value {
    do throws(EncodeError) { return try body() } catch { throw Failure.of(error, source) }
}

func libraryFailure<Value>(_ body: () throws(StorageError) -> Value) throws(Failure) -> Value {
    do throws(StorageError) { return try body() } catch { throw Failure.ofLibrary(error) }
}

extension FailureReason {
    init(_ reason: DecodeError.Reason) {
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
    static func ofSource(_ error: StorageError, _ file: FileReference) -> Failure {
        switch error.kind {
        case .notFound: Failure(.sourceMissing, "\(file) is gone. Put it back, then run again.")
        case .changed: Failure(.sourceChanged, "\(file) changed since it was planned. Run again when it is at rest.")
        case .pathEscapesRoot: Failure(.pathEscapesRoot, "\(file) leads out of its folder. Convert the real file.")
        case .tooLarge: Failure(.tooLarge, "\(file) has more bytes than a RAW file may have.")
        case .unavailable where error.isStorageGone:
            Failure(.storageUnavailable, "\(file) cannot be read: \(error.cause).")
        default: Failure(.sourceUnreadable, "\(file) cannot be read: \(error.cause).")
        }
    }

    static func ofLibrary(_ error: StorageError) -> Failure {
        switch error.kind {
        case .diskFull: Failure(.diskFull, "The library's disk is full. Free some space, then run again.")
        case .tooLarge: Failure(.tooLarge, "\(error).")
        default: Failure(.storageUnavailable, "The library cannot be written: \(error).")
        }
    }

    static func of(_ error: DevelopError, _ source: Source) -> Failure {
        let reason: FailureReason =
            switch error.kind {
            case .inconsistentFacts: .corrupt
            case .unsupportedLayout: .unsupportedCamera
            case .settings: .malformedRecord
            }
        return Failure(reason, "\(source.raw.file) cannot be developed: \(error.description).")
    }

    static func of(_ error: EncodeError, _ source: Source) -> Failure {
        switch error {
        case .tooLarge: Failure(.tooLarge, "\(source.raw.file): \(error). Give a smaller --long-edge.")
        case .outOfMemory: Failure(.outOfMemory, "\(source.raw.file): \(error).")
        default: Failure(.internalError, "\(source.raw.file): \(error).")
        }
    }
}
