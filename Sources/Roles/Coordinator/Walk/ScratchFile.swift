internal import Glibc

/// A file without a name, for what does not fit in memory. It is gone when this is, or when the process is.
final class ScratchFile {
    private let descriptor: Int32
    private let folder: String
    private(set) var sizeBytes = 0

    /// - Parameter folder: where there is room; nil is `$TMPDIR`, or `/var/tmp`, which is on disk where `/tmp` may not be.
    init(folder: String? = nil) throws(WalkError) {
        let place = folder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
        let name = "\(place)/rawmill-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        self.folder = place
        guard descriptor >= 0 else { throw WalkError.scratch(folder: place, cause: systemMessage(errno)) }
        unlink(name)
    }

    deinit { close(descriptor) }

    func append(_ bytes: [UInt8]) throws(WalkError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                pwrite(descriptor, all.baseAddress.map { $0 + written }, all.count - written, off_t(sizeBytes))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw WalkError.scratch(folder: folder, cause: systemMessage(errno)) }
            written += count
            sizeBytes += count
        }
    }

    /// Up to `limit` bytes from `offset`; fewer only at the end.
    func read(from offset: Int, limit: Int) throws(WalkError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { all, count in
            count = 0
            while count < limit {
                let got = pread(descriptor, all.baseAddress.map { $0 + count }, limit - count, off_t(offset + count))
                if got < 0 && errno == EINTR { continue }
                if got < 0 { failure = errno }
                guard got > 0 else { break }
                count += got
            }
        }
        guard failure == 0 else { throw WalkError.scratch(folder: folder, cause: systemMessage(failure)) }
        return bytes
    }
}

/// The system's words for an error number.
func systemMessage(_ number: Int32) -> String {
    var text = [CChar](repeating: 0, count: 256)
    guard strerror_r(number, &text, text.count) == 0 else { return "error \(number)" }
    return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
}
