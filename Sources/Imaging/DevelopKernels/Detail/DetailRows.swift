/// Roots of light for finding detail, as rows of squares of 2 × 2 pixels: a pair of rows, the previous pair and the
/// next.
final class DetailRows {
    /// Stored pairs, a power of two.
    private static let depth = 4

    /// The pair to change next; nil before the first.
    var next: Int?
    private let kernel: DetailKernel
    private let store: Int16ScratchRows

    init(_ limits: DetailLimits, count: Int) {
        kernel = DetailKernel(limits)
        store = Int16ScratchRows(rows: 4 * Self.depth, count: count)
    }

    /// All squares of a row, in whole cache lines.
    var range: Range<Int> { store.lines }

    /// A corner of a pair's squares: 0 upper left, 1 upper right, 2 lower left, 3 lower right.
    @inline(__always)
    func row(_ corner: Int, _ pair: Int) -> UnsafeMutablePointer<Int16> {
        store.row(4 * (pair & (Self.depth - 1)) + corner)
    }

    /// Repeats the picture's edges by one square.
    func repeatEdges(_ pair: Int, count: Int) {
        for left in [0, 2] {
            row(left + 1, pair)[-1] = row(left, pair)[0]
            row(left, pair)[count] = row(left + 1, pair)[count - 1]
        }
    }

    /// Copies the first row to the pair before the picture.
    func repeatFirst(_ pair: Int) { copy(from: (0, 1), pair, to: (2, 3), pair - 1) }

    /// Copies the last row to the pair after the picture.
    func repeatLast(_ pair: Int) { copy(from: (2, 3), pair, to: (0, 1), pair + 1) }

    private func copy(from: (Int, Int), _ pair: Int, to: (Int, Int), _ other: Int) {
        for (source, target) in [(from.0, to.0), (from.1, to.1)] {
            let lines = range
            (row(target, other) + lines.lowerBound).update(
                from: row(source, pair) + lines.lowerBound, count: lines.count)
        }
    }

    /// Changes the values of a pair, by corner, according to the roots of the pair and its neighbours. Reads one square
    /// more than `range` at either end. `areOwn` states that the values are the pair's roots, which need not be stored
    /// before.
    func apply(
        to values: (
            UnsafeMutablePointer<Int16>, UnsafeMutablePointer<Int16>, UnsafeMutablePointer<Int16>,
            UnsafeMutablePointer<Int16>
        ), areOwn: Bool = false, _ pair: Int, _ range: Range<Int>
    ) {
        func halves(_ row: Int, _ pair: Int) -> DetailKernel.Halves {
            .init(left: self.row(2 * row, pair), right: self.row(2 * row + 1, pair))
        }
        kernel.apply(
            above: halves(1, pair - 1), own: halves(0, pair), below: halves(1, pair), to: (values.0, values.1),
            areOwn: areOwn, range)
        kernel.apply(
            above: halves(0, pair), own: halves(1, pair), below: halves(0, pair + 1), to: (values.2, values.3),
            areOwn: areOwn, range)
    }

    /// Fills four rows, by corner, with a pair's changed roots.
    func fill(_ rows: borrowing Int16ScratchRows, _ pair: Int) {
        apply(to: (rows.row(0), rows.row(1), rows.row(2), rows.row(3)), areOwn: true, pair, 0..<rows.count)
    }
}
