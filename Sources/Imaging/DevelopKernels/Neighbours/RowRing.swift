import Pixels

/// The last rows of a picture in progress, with constant margins at both ends.
final class RowRing {
    /// Rows kept.
    private let depth: Int
    private let width: Int
    /// Pixels before a row, and after it.
    private let margin: Int
    private let store: ScratchRows

    /// - Parameters:
    ///   - depth: rows to keep.
    ///   - width: of the picture.
    ///   - margin: pixels that are read beyond a row's ends. One pixel can be written there in any case.
    init(depth: Int, width: Int, margin: Int = 0) {
        self.depth = depth
        self.width = width
        // In whole cache lines.
        self.margin = (margin + 15) / 16 * 16
        store = ScratchRows(rows: 3 * depth, count: width + 2 * self.margin)
    }

    /// Row `y` of the picture, one of the last `depth` rows.
    @inline(__always)
    func row(_ y: Int) -> PlanarRow {
        let slot = 3 * (y % depth)
        return PlanarRow(
            red: store.row(slot) + margin, green: store.row(slot + 1) + margin, blue: store.row(slot + 2) + margin)
    }

    /// Row `y` as pixels.
    func pixels(_ y: Int) -> PixelRow {
        let row = row(y)
        return PixelRow(red: row.red, green: row.green, blue: row.blue, count: width, y: y)
    }

    /// Copies row `y` from another ring.
    func copy(_ y: Int, from other: RowRing) {
        let (own, row) = (row(y), other.row(y))
        for channel in 0..<3 { own[channel].update(from: row[channel], count: width) }
    }

    /// Fills the margins of a row with its first and its last pixel.
    func repeatEnds(_ y: Int) {
        let row = row(y)
        for channel in 0..<3 {
            let plane = row[channel]
            let (first, last) = (plane[0], plane[width - 1])
            for x in 1..<margin + 1 {
                plane[-x] = first
                plane[width - 1 + x] = last
            }
        }
    }
}
