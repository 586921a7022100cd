/// Column sums over three and over seven rows for a piece of a row, with a separate row for each pattern column. Rows
/// are a fixed distance apart and extend beyond pattern columns 0 to 5, so that neighbours are at constant offsets.
struct XTransSums: ~Copyable {
    /// Columns of a short row that are processed at once.
    static let chunk = 512
    /// Additional sums at either end.
    static let margin = 16
    /// Distance of pattern columns.
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

    /// Sums of three rows in a pattern column, -3 to 8.
    @inline(__always)
    func three(_ column: Int) -> UnsafeMutablePointer<Float> { memory + ((column + 3) * Self.stride + Self.padding) }

    /// Sums of seven rows in a pattern column, -1 to 6.
    @inline(__always)
    func seven(_ column: Int) -> UnsafeMutablePointer<Float> { memory + ((column + 13) * Self.stride + Self.padding) }

    /// Copies the sums of three rows in a column from 0 to 5 to the column six before or after it.
    func repeatThree(_ column: Int, count: Int) {
        if column < 3 {
            three(column + 6).update(from: three(column) + 1, count: count)
        } else {
            three(column - 6).update(from: three(column) - 1, count: count)
        }
    }

    /// Copies the sums of seven rows for columns -1 and 6.
    func repeatSeven(count: Int) {
        seven(6).update(from: seven(0) + 1, count: count)
        seven(-1).update(from: seven(5) - 1, count: count)
    }
}
