internal import Memory

/// Scratch rows of floats in one block of memory, each 64-byte aligned, with readable and writable margins at both
/// ends.
@safe public struct ScratchRows: ~Copyable {
    /// Floats of each margin.
    public static let margin = 16

    /// Number of rows.
    public let rows: Int
    /// Samples of a row, without its margins.
    public let count: Int
    private let strideFloats: Int
    private let memory: MemoryBlock
    private let first: UnsafeMutablePointer<Float>

    /// Creates rows whose samples and margins are zero.
    ///
    /// - Parameters:
    ///   - rows: at least 1.
    ///   - count: samples of a row, without its margins; 0 or more.
    public init(rows: Int, count: Int) {
        precondition(rows > 0 && count >= 0, "there is at least one row")
        self.rows = rows
        self.count = count
        // An odd number of cache lines prevents rows from sharing cache sets.
        let lines = (count + 2 * Self.margin + 15) / 16
        strideFloats = (lines | 1) * 16
        let bytes = strideFloats * rows * MemoryLayout<Float>.stride
        memory = MemoryBlock(byteCount: bytes)
        let floats = unsafe memory.bytes.bindMemory(to: Float.self)
        unsafe floats.initialize(repeating: 0)
        // A row has at least one cache line, so the buffer is never empty.
        unsafe first = unsafe floats.baseAddress.unsafelyUnwrapped + Self.margin
    }

    /// Sample 0 of a row; valid while the value lives.
    ///
    /// - Parameter index: 0 to `rows - 1`; not checked.
    @inline(__always)
    public func row(_ index: Int) -> UnsafeMutablePointer<Float> { unsafe first + index * strideFloats }
}

/// `@unchecked`: the memory has one owner, and only the value's holder accesses it, on any thread.
extension ScratchRows: @unchecked Sendable {}
