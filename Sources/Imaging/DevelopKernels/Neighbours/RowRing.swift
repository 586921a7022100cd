import Pixels

/// The last rows of a picture in progress, with constant margins at both ends.
final class RowRing {
    private let depth: Int
    private let width: Int
    /// Pixels before a row, and after it.
    private let margin: Int
    private let store: ScratchRows

    /// Stores `depth` rows. `margin` pixels are read beyond a row's ends, where one pixel can always be written.
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

    func pixels(_ y: Int) -> PixelRow {
        let row = row(y)
        return PixelRow(red: row.red, green: row.green, blue: row.blue, count: width, y: y)
    }

    func copy(_ y: Int, from other: RowRing) {
        let (own, row) = (row(y), other.row(y))
        for channel in 0..<3 { own[channel].update(from: row[channel], count: width) }
    }

    /// Fills a row's margins with its first and last pixel.
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
