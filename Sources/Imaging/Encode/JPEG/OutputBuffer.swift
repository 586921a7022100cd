import Glibc

/// The one buffer that an encoder writes every photo into.
///
/// It is as large as the largest JPEG the picture could become, but the kernel backs only what was written: its
/// resident size is that of the largest JPEG so far.
@safe struct OutputBuffer: ~Copyable {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var capacity = 0

    init() {}

    deinit { unsafe free(base) }

    /// Grows to at least `byteCount` bytes where it is smaller; the contents are lost then.
    mutating func reserve(_ byteCount: Int) throws(EncodeError) -> UnsafeMutableRawPointer {
        if let base = unsafe base, capacity >= byteCount { return unsafe base }
        unsafe free(base)
        unsafe base = nil
        capacity = 0
        guard let fresh = unsafe malloc(byteCount) else { throw .outOfMemory(bytes: byteCount) }
        unsafe base = fresh
        capacity = byteCount
        return unsafe fresh
    }
}
