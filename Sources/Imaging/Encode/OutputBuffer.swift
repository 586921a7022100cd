import Glibc

/// The one buffer that an encoder writes every photo into.
///
/// It is as large as the largest JPEG the picture could become, but the kernel backs only what was written: its resident
/// size is that of the largest JPEG so far.
struct OutputBuffer: ~Copyable {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var capacity = 0

    init() {}

    deinit { free(base) }

    /// Grows to at least `byteCount` bytes where it is smaller; the contents are lost then.
    mutating func reserve(_ byteCount: Int) throws(EncodeError) -> UnsafeMutableRawPointer {
        if let base, capacity >= byteCount { return base }
        free(base)
        base = nil
        capacity = 0
        guard let fresh = malloc(byteCount) else { throw .outOfMemory(bytes: byteCount) }
        base = fresh
        capacity = byteCount
        return fresh
    }
}
