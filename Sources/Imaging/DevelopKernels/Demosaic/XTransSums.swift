/// Column sums over three and over seven rows, for a piece of a row, with a separate row for each of the pattern's
/// columns.
///
/// Rows lie a fixed distance apart, and extend beyond the pattern's columns 0 to 5, so that neighbours are at constant
/// offsets.
struct XTransSums: ~Copyable {
    /// Columns of a short row that are worked on at once.
    static let chunk = 512
    /// Sums that are made at either end beyond those.
    static let margin = 16
    /// From one column of the pattern to the next.
    @inline(__always)
    static var stride: Int { 560 }
    private static let padding = 24
    private static let rows = 12 + 8

    private let memory: UnsafeMutablePointer<Float>

    init() {
        let count = Self.rows * Self.stride
        memory = UnsafeMutableRawPointer.allocate(byteCount: 4 * count, alignment: 64)
            .bindMemory(to: Float.self, capacity: count)
        memory.initialize(repeating: 0, count: count)
    }

    deinit { memory.deallocate() }

    /// Sums of three rows in a column of the pattern, -3 to 8.
    @inline(__always)
    func three(_ column: Int) -> UnsafeMutablePointer<Float> { memory + ((column + 3) * Self.stride + Self.padding) }

    /// Sums of seven rows in a column of the pattern, -1 to 6.
    @inline(__always)
    func seven(_ column: Int) -> UnsafeMutablePointer<Float> { memory + ((column + 13) * Self.stride + Self.padding) }

    /// Repeats the sums of three rows in a column from 0 to 5 as those of the column six after it or before it.
    func repeatThree(_ column: Int, count: Int) {
        if column < 3 {
            three(column + 6).update(from: three(column) + 1, count: count)
        } else {
            three(column - 6).update(from: three(column) - 1, count: count)
        }
    }

    /// The same of seven rows for columns -1 and 6.
    func repeatSeven(count: Int) {
        seven(6).update(from: seven(0) + 1, count: count)
        seven(-1).update(from: seven(5) - 1, count: count)
    }
}
