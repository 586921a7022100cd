import Glibc

/// A buffer that an encoder reuses for every photo.
///
/// Its capacity is the worst case of a JPEG, but the kernel backs only written pages: its resident size is that of the
/// largest JPEG so far.
@safe struct OutputBuffer: ~Copyable {
    private(set) var base: UnsafeMutableRawPointer?
    private(set) var capacity = 0

    init() {}

    deinit { unsafe free(base) }

    /// Grows the buffer to at least `byteCount` bytes if necessary, discarding its contents.
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
