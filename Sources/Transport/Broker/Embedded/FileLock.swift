internal import Glibc

/// Locks a file for this process. The lock needs its own file: closing any descriptor of the database drops SQLite's
/// locks on it.
final class FileLock {
    private let descriptor: Int32

    init(path: String) throws(BrokerError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw .broken("\(path) could not be opened: \(Self.text(ofError: errno)). Check the folder.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            let holder = Self.text(of: descriptor)
            close(descriptor)
            guard code == EWOULDBLOCK else {
                throw .broken("\(path) could not be locked: \(Self.text(ofError: code)). Check the file system.")
            }
            throw .inUse("the library is in use by \(holder) (\(path)). Wait for it to end, or stop it.")
        }
        self.descriptor = descriptor
        let holder = Array("process \(getpid()) on \(Self.hostName())".utf8)
        // The holder's name only serves the message above. The lock works without it.
        if ftruncate(descriptor, 0) == 0 { _ = unsafe pwrite(descriptor, holder, holder.count, 0) }
    }

    /// Closing the descriptor releases the lock, as does the exit of the process.
    deinit { close(descriptor) }

    private static func text(of descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : "another process"
    }

    private static func text(ofError code: Int32) -> String { unsafe String(cString: strerror(code)) }

    private static func hostName() -> String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "this host" }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
