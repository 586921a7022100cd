import Pixels

/// Rows with their pixels in their order, for what neither makes squares nor takes them.
extension Tile {
    /// Scratch memory of three rows of `width` floats, as row `y` of the tile.
    func row(_ y: Int, in store: borrowing ScratchRows) -> PixelRow {
        PixelRow(red: store.row(0), green: store.row(1), blue: store.row(2), count: 2 * count, x: x, y: y)
    }

    /// The part of such a row that lies inside the picture.
    func inside(_ row: PixelRow) -> PixelRow {
        row.piece(from: columns.lowerBound - x, count: columns.count)
    }

    /// The pixels of such a row go to their corners.
    func split(_ row: PixelRow) {
        let (left, right) = corners(row.y)
        Self.split(row.red, left.red, right.red, count)
        Self.split(row.green, left.green, right.green, count)
        Self.split(row.blue, left.blue, right.blue, count)
    }

    private static func split(
        _ row: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        for x in 0..<count {
            left[x] = row[2 * x]
            right[x] = row[2 * x + 1]
        }
    }

    /// The pixels of row `y` in their order, put where they belong in a row of the whole picture. That has room for one
    /// pixel beyond either end.
    func join(_ y: Int, into row: PlanarRow) {
        let (left, right) = corners(y)
        Self.join(left.red, right.red, row.red + x, count)
        Self.join(left.green, right.green, row.green + x, count)
        Self.join(left.blue, right.blue, row.blue + x, count)
    }

    private static func join(
        _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, _ row: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        for x in 0..<count {
            row[2 * x] = left[x]
            row[2 * x + 1] = right[x]
        }
    }

    private func corners(_ y: Int) -> (left: PixelRow, right: PixelRow) {
        let left = 2 * (y - self.y)
        return (corner(left), corner(left + 1))
    }
}
