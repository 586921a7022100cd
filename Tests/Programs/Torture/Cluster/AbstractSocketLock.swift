import Glibc

/// A lock by name among the processes of a machine or container (of one network namespace).
///
/// An abstract Unix socket address, unix(7): one process at a time can bind it, the kernel frees it when that process
/// ends for any reason, and no file is left behind.
final class AbstractSocketLock: Sendable {
    private let descriptor: Int32

    /// Nil if the lock is taken, or the name exceeds a socket address (107 bytes).
    init?(_ name: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The leading NUL makes it abstract.
        let bytes = [0] + Array(name.utf8)
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
        }
        // All properties are set by now, so `deinit` closes the descriptor if the initializer fails.
        guard descriptor >= 0, result == 0 else { return nil }
    }

    deinit { close(descriptor) }
}
