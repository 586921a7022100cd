internal import Glibc

/// Whole pages of the process's address space, mapped for nobody else. Whoever holds the value must unmap it or pass it
/// on, once.
struct Pages: @unchecked Sendable {
    // Sendable: memory with one holder at a time.
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    /// Nil where the system has no such memory left.
    static func map(_ byteCount: Int) -> Pages? {
        let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let start, start != MAP_FAILED else { return nil }
        return Pages(start: start, byteCount: byteCount)
    }

    func unmap() { munmap(start, byteCount) }
}
