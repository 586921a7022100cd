internal import Digest
internal import Encode
internal import Jobs
internal import Manifests
internal import RenderJobs
internal import Storage
internal import Synchronization

/// The file that an encoder writes a photo to. It records the first storage error.
final class BlankPhotoFile: PhotoFile {
    private struct State {
        var problem: StorageError?
        var digest: SHA256Value?
        var fillTime = Duration.zero
    }

    private let file: BlankFile
    private let state = Mutex(State())

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

    func fill(with bytes: UnsafeRawBufferPointer) throws(PhotoFileError) {
        let start = ContinuousClock.now
        let digest = try noting { () throws(StorageError) in try unsafe file.fill(with: bytes) }
        state.withLock {
            $0.digest = digest
            $0.fillTime += ContinuousClock.now - start
        }
    }

    private func noting<Value>(_ body: () throws(StorageError) -> Value) throws(PhotoFileError) -> Value {
        do throws(StorageError) { return try body() } catch {
            state.withLock { $0.problem = $0.problem ?? error }
            throw PhotoFileError()
        }
    }

    /// Time for writing the file as a whole; 0 if it was written in parts.
    var fillTime: Duration { state.withLock(\.fillTime) }

    /// Encodes a photo into the file.
    ///
    /// - Throws: the storage error if there was one, instead of the encoder's.
    func encoding<Value>(of source: FileReference, _ body: () throws(EncodeError) -> Value) throws(Failure) -> Value {
        do throws(EncodeError) { return try body() } catch {
            if let problem = state.withLock({ $0.problem }) { throw Failure(library: problem) }
            throw Failure(error, source)
        }
    }

    /// The bytes written so far; nil if they cannot be read.
    func contents(_ byteCount: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        let isRead = unsafe bytes.withUnsafeMutableBytes { bytes in
            do throws(PhotoFileError) { try unsafe read(into: bytes, at: 0) } catch { return false }
            return true
        }
        return isRead ? bytes : nil
    }

    func rewrite(_ bytes: [UInt8], _ source: FileReference) throws(Failure) -> WrittenFile {
        state.withLock { $0.digest = nil }
        try encoding(of: source) { () throws(EncodeError) in
            do throws(PhotoFileError) {
                try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(PhotoFileError) in
                    try unsafe write(bytes, at: 0)
                }
                try cut(toBytes: bytes.count)
            } catch { throw .fileFailed }
        }
        return try finish(bytes.count)
    }

    /// Digest and size of the complete file.
    ///
    /// - Parameter byteCount: the file's size.
    func finish(_ byteCount: Int) throws(Failure) -> WrittenFile {
        let digest: SHA256Value
        if let known = state.withLock({ $0.digest }) {
            digest = known
        } else {
            digest = try catchingLibraryErrors { () throws(StorageError) in try file.finish() }
        }
        return WrittenFile(digest: digest, sizeBytes: UInt64(byteCount))
    }
}
