internal import Glibc

/// Whole pages of the process's address space, mapped for nobody else. Whoever holds the value must unmap it or pass it
/// on, once.
struct Pages: @unchecked Sendable {
    // Sendable: memory with one holder at a time.
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    /// Nil where the system has no such memory left.
    ///
    /// - Parameter used: bytes from the start that will all be written. They are made there at once: a fault for each
    ///   page takes twice as long.
    static func map(_ byteCount: Int, used: Int) -> Pages? {
        let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start, start != MAP_FAILED else { return nil }
        // Older kernels know nothing of it; then the pages come by faults.
        madvise(start, used, MADV_POPULATE_WRITE)
        return Pages(start: start, byteCount: byteCount)
    }

    func unmap() { munmap(start, byteCount) }
}
