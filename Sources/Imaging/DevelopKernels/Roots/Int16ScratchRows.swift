/// Rows of 16-bit integers in one 64-byte aligned block of memory, each with a readable and writable margin.
struct Int16ScratchRows: ~Copyable {
    /// Samples per cache line.
    private static let line = 32
    /// Samples before sample 0 and after the last sample of each row: two cache lines.
    private static let margin = 2 * line

    /// The cache line before sample 0, and all lines with the samples and four beyond the last. In a loop over whole
    /// lines, no vector straddles two. One more sample may be read at either end.
    var lines: Range<Int> { -Self.line..<(count + 4 + Self.line - 1) / Self.line * Self.line }

    let count: Int
    let strideSamples: Int
    private let memory: UnsafeMutablePointer<Int16>

    /// `rows` rows of `count` samples, all zero.
    init(rows: Int, count: Int) {
        self.count = count
        // An odd number of cache lines prevents rows from sharing cache sets.
        let lines = (count + 2 * Self.margin + Self.line - 1) / Self.line
        strideSamples = (lines | 1) * Self.line
        let samples = strideSamples * rows
        memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * samples, alignment: 64)
            .bindMemory(to: Int16.self, capacity: samples)
        memory.initialize(repeating: 0, count: samples)
    }

    deinit { memory.deallocate() }

    /// Sample 0 of a row, valid while the store lives.
    @inline(__always)
    func row(_ index: Int) -> UnsafeMutablePointer<Int16> { memory + (index * strideSamples + Self.margin) }
}
