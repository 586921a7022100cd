internal import Glibc

/// A name that one process has at a time, until it ends, however that comes about: an abstract Unix address, which is
/// kept where a machine or a container keeps its ports, and leaves no file behind.
public final class HeldName: Sendable {
    private let descriptor: Int32

    /// Nil where somebody has it.
    public init?(_ name: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The leading NUL makes it abstract.
        let bytes = [0] + Array(name.utf8)
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        // A failed initializer of a class that has all it stores runs `deinit`.
        guard descriptor >= 0, result == 0 else { return nil }
    }

    deinit { close(descriptor) }
}
