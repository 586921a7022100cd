/// Rows of 16-bit integers in one 64-byte aligned block of memory, each with a margin that may be read and written.
struct Int16ScratchRows: ~Copyable {
    /// Samples of a cache line.
    private static let line = 32
    /// Samples before sample 0 and after the last sample of each row: two cache lines.
    private static let margin = 2 * line

    /// The cache line before sample 0, and all lines that hold the samples and four beyond the last. A loop over whole
    /// lines has no vector that straddles two. One sample more may be read at either end.
    var lines: Range<Int> { -Self.line..<(count + 4 + Self.line - 1) / Self.line * Self.line }

    let count: Int
    /// From one row to the next.
    let strideSamples: Int
    private let memory: UnsafeMutablePointer<Int16>

    /// `rows` rows of `count` samples, all zero.
    init(rows: Int, count: Int) {
        self.count = count
        // An odd number of cache lines keeps rows from falling on the same cache sets.
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
