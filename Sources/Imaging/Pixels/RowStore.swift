internal import Memory

/// Scratch rows of floats in one 64-byte aligned piece of memory, each with room to read and write beyond its ends.
public struct RowStore: ~Copyable {
    /// Floats before sample 0 and after the last one of each row that may be read and written.
    public static let margin = 16

    public let rows: Int
    public let count: Int
    private let strideFloats: Int
    private let memory: MemoryBlock
    private let first: UnsafeMutablePointer<Float>

    /// `rows` rows of `count` samples, all zero.
    public init(rows: Int, count: Int) {
        precondition(rows > 0 && count >= 0, "a store has at least one row")
        self.rows = rows
        self.count = count
        // An odd number of cache lines keeps rows from falling on the same cache sets.
        let lines = (count + 2 * Self.margin + 15) / 16
        strideFloats = (lines | 1) * 16
        let bytes = strideFloats * rows * MemoryLayout<Float>.stride
        memory = MemoryBlock(byteCount: bytes)
        let floats = memory.bytes.bindMemory(to: Float.self)
        floats.initialize(repeating: 0)
        // A row has one cache line or more.
        first = floats.baseAddress.unsafelyUnwrapped + Self.margin
    }

    /// Sample 0 of a row; valid while the store lives.
    @inline(__always)
    public func row(_ index: Int) -> UnsafeMutablePointer<Float> { first + index * strideFloats }
}

/// Plain memory with one owner; whoever holds the value may move it to another thread.
extension RowStore: @unchecked Sendable {}
