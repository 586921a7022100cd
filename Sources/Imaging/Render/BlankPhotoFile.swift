internal import Encode
internal import Jobs
internal import RenderJobs
internal import Storage
internal import Synchronization

/// A photo's file as an encoder writes it. It remembers what went wrong with the file.
final class BlankPhotoFile: PhotoFile {
    private let file: BlankFile
    private let problem = Mutex<StorageError?>(nil)

    init(_ file: BlankFile) { self.file = file }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(PhotoFileError) {
        try noting { () throws(StorageError) in try unsafe file.write(bytes, at: UInt64(clamping: offset)) }
    }

    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(PhotoFileError) {
        try noting { () throws(StorageError) in try unsafe file.read(into: bytes, at: UInt64(clamping: offset)) }
    }

    func cut(toBytes byteCount: Int) throws(PhotoFileError) {
        try noting { () throws(StorageError) in try file.cut(toBytes: UInt64(clamping: byteCount)) }
    }

    private func noting(_ body: () throws(StorageError) -> Void) throws(PhotoFileError) {
        do throws(StorageError) { try body() } catch {
            problem.withLock { $0 = $0 ?? error }
            throw PhotoFileError()
        }
    }

    /// Encodes a photo into the file.
    ///
    /// - Throws: the file's own problem where it has one.
    func encoding<Value>(of source: FileReference, _ body: () throws(EncodeError) -> Value) throws(Failure) -> Value {
        do throws(EncodeError) { return try body() } catch {
            if let problem = problem.withLock({ $0 }) { throw Failure(library: problem) }
            throw Failure(error, source)
        }
    }
}
