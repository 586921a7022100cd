public import Jobs
public import Storage

// Maps storage errors to failures of the job, with file name and remedy.

/// Wraps reading of a source file.
public func catchingReadErrors<Value>(
    of file: FileReference, _ body: () throws(StorageError) -> Value
) throws(Failure) -> Value {
    do throws(StorageError) { return try body() } catch { throw Failure(reading: file, error) }
}

/// Wraps writing to the library.
public func catchingLibraryErrors<Value>(_ body: () throws(StorageError) -> Value) throws(Failure) -> Value {
    do throws(StorageError) { return try body() } catch { throw Failure(library: error) }
}

extension Failure {
    fileprivate init(reading file: FileReference, _ error: StorageError) {
        switch error.kind {
        case .notFound: self.init(.sourceMissing, "\(file) is gone. Put it back, then run again.")
        case .changed: self.init(.sourceChanged, "\(file) changed since it was planned. Run again when it is at rest.")
        case .pathEscapesRoot: self.init(.pathEscapesRoot, "\(file) leads out of its folder. Convert the real file.")
        case .tooLarge: self.init(.tooLarge, "\(file) is larger than a RAW file may be.")
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
}
