internal import Memory

/// Scratch rows of floats in one block of memory, each 64-byte aligned and with a margin at both ends that may be read
/// and written.
@safe public struct ScratchRows: ~Copyable {
    /// Floats of the margin before sample 0, and of the one after the last sample.
    public static let margin = 16

    /// How many rows there are.
    public let rows: Int
    /// Samples of a row, without its margins.
    public let count: Int
    private let strideFloats: Int
    private let memory: MemoryBlock
    private let first: UnsafeMutablePointer<Float>

    /// All samples and margins are zero.
    ///
    /// - Parameters:
    ///   - rows: at least 1.
    ///   - count: samples of a row, without its margins; 0 or more.
    public init(rows: Int, count: Int) {
        precondition(rows > 0 && count >= 0, "there is at least one row")
        self.rows = rows
        self.count = count
        // An odd number of cache lines keeps the rows from falling on the same cache sets.
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

/// `@unchecked`: the memory has one owner, and only the value's holder reaches it, on whatever thread that is.
extension ScratchRows: @unchecked Sendable {}
