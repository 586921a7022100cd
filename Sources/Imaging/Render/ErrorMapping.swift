internal import Decode
internal import Develop
internal import Encode
public import Jobs
internal import Metadata
public import Storage

// Each stage throws its own error. Here they become the job's failure, with the file's name and what to do.

/// Reads a source file.
func catchingReadErrors<Value>(
    of file: FileReference, _ body: () throws(StorageError) -> Value
) throws(Failure) -> Value {
    do throws(StorageError) { return try body() } catch { throw Failure(reading: file, error) }
}

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

/// Writes to the library.
func catchingLibraryErrors<Value>(_ body: () throws(StorageError) -> Value) throws(Failure) -> Value {
    do throws(StorageError) { return try body() } catch { throw Failure(library: error) }
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
    /// A source file cannot be read.
    fileprivate init(reading file: FileReference, _ error: StorageError) {
        switch error.kind {
        case .notFound: self.init(.sourceMissing, "\(file) is gone. Put it back, then run again.")
        case .changed: self.init(.sourceChanged, "\(file) changed since it was planned. Run again when it is at rest.")
        case .pathEscapesRoot: self.init(.pathEscapesRoot, "\(file) leads out of its folder. Convert the real file.")
        case .tooLarge: self.init(.tooLarge, "\(file) has more bytes than a RAW file may have.")
        case .unavailable where error.isStorageGone:
            self.init(.storageUnavailable, "\(file) cannot be read: \(error.cause).")
        default: self.init(.sourceUnreadable, "\(file) cannot be read: \(error.cause).")
        }
    }

    /// The library cannot be read or written.
    public init(library error: StorageError) {
        switch error.kind {
        case .diskFull: self.init(.diskFull, "The library's disk is full. Free some space, then run again.")
        case .tooLarge: self.init(.tooLarge, "\(error).")
        default: self.init(.storageUnavailable, "The library cannot be written: \(error).")
        }
    }

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
