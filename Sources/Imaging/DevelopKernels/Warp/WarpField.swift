internal import CCubic
package import PictureFormat

/// The displacement of each pixel of a picture from its source, on a grid with linear interpolation.
///
/// A warp has two steps, each along one direction: first every source row is stretched (`across`), then every column of
/// the result (`down`; E. Catmull and A. R. Smith, 1980, "3-D transformations of images in scanline order").
package struct WarpField: Sendable {
    /// Distance of grid points in pixels, in both directions.
    package static var spacing: Int { 8 }
    /// Pixels made at once by this build.
    static var cell: Int { Int(RAWMILL_CELL) }
    /// Whole cells of any build, so that the grid and its proofs are the same for all.
    private static let wholeCells = 32
    /// Units of a coordinate per pixel.
    package static var unit: Int { 65_536 }
    /// Maximum displacement.
    private static let maxOffset: Int32 = 8000 * 65_536

    /// Of the resulting picture.
    package let size: PixelSize
    /// Of the source picture.
    package let source: PixelSize
    /// 1 if all colours move alike, or 3: red, green and blue.
    let planes: Int
    let columns: Int
    /// By plane, source columns minus picture columns, at rows of the source.
    private let across: [Int32]
    /// By plane, source rows minus picture rows, at rows of the picture.
    private let down: [Int32]
    private let acrossRows: Int
    private let downRows: Int
    /// By picture row, the first source row that it or a later row needs.
    private let first: [Int32]
    /// By picture row, the last source row that it or an earlier row needs.
    private let last: [Int32]
    /// Maximum number of source rows that two picture rows need.
    let reach: Int

    /// Grid points that a picture needs per row.
    package static func columns(width: Int) -> Int {
        (width + wholeCells - 1) / wholeCells * (wholeCells / spacing) + 1
    }
    /// Rows of grid points that a picture needs.
    package static func rows(height: Int) -> Int { (height + spacing - 1) / spacing + 1 }

    /// Proves that the grid has all its points, and that none is too far from its neighbours: nil otherwise.
    ///
    /// - Parameters:
    ///   - across: by plane, `rows(height: source.height)` rows of `columns(width: size.width)` offsets.
    ///   - down: by plane, `rows(height: size.height)` rows of as many.
    package init?(size: PixelSize, source: PixelSize, planes: Int, across: [Int32], down: [Int32]) {
        let columns = Self.columns(width: size.width)
        let (acrossRows, downRows) = (Self.rows(height: source.height), Self.rows(height: size.height))
        guard size.width > 0, size.height > 0, source.width > 0, source.height > 0, planes == 1 || planes == 3,
            across.count == planes * acrossRows * columns, down.count == planes * downRows * columns,
            across.allSatisfy({ $0.magnitude <= Self.maxOffset }), down.allSatisfy({ $0.magnitude <= Self.maxOffset }),
            Self.isSmooth(across, columns, acrossRows), Self.isSmooth(down, columns, downRows)
        else { return nil }
        self.size = size
        self.source = source
        self.planes = planes
        self.columns = columns
        self.across = across
        self.down = down
        self.acrossRows = acrossRows
        self.downRows = downRows
        var (first, last) = ([Int32](), [Int32]())
        let extremes = (0..<downRows).map { row in Self.extremes(down, row, planes, downRows, columns) }
        for y in 0..<size.height {
            let (upper, lower) = (extremes[y / Self.spacing], extremes[y / Self.spacing + 1])
            let least = y - 1 + Int(min(upper.least, lower.least) >> 16)
            let most = y + 2 + Int(max(upper.most, lower.most) >> 16)
            first.append(Int32(min(max(least, 0), source.height - 1)))
            last.append(Int32(min(max(most, 0), source.height - 1)))
        }
        for y in 1..<max(size.height, 1) where y < size.height { last[y] = max(last[y], last[y - 1]) }
        for y in (0..<size.height - 1).reversed() { first[y] = min(first[y], first[y + 1]) }
        reach = (0..<size.height).map { Int(last[min($0 + 1, size.height - 1)] - first[$0]) + 1 }.max() ?? 1
        self.first = first
        self.last = last
    }

    /// Whether offsets change by at most 7 pixels between points.
    private static func isSmooth(_ offsets: [Int32], _ columns: Int, _ rows: Int) -> Bool {
        let limit: UInt32 = 7 * 65_536
        return offsets.withUnsafeBufferPointer { offsets in
            (0..<offsets.count / columns).allSatisfy { row in
                let own = UnsafeBufferPointer(rebasing: offsets[row * columns..<(row + 1) * columns])
                let next = UnsafeBufferPointer(rebasing: own.dropFirst())
                if mostDifference(own, next, next.count) > limit { return false }
                guard row % rows > 0 else { return true }
                let above = UnsafeBufferPointer(rebasing: offsets[(row - 1) * columns..<row * columns])
                return mostDifference(above, own, columns) <= limit
            }
        }
    }

    /// The greatest difference between two rows of offsets, all within `maxOffset`.
    private static func mostDifference(
        _ a: UnsafeBufferPointer<Int32>, _ b: UnsafeBufferPointer<Int32>, _ count: Int
    ) -> UInt32 {
        var most: UInt32 = 0
        for index in 0..<count { most = max(most, (b[index] &- a[index]).magnitude) }
        return most
    }

    private static func extremes(
        _ offsets: [Int32], _ row: Int, _ planes: Int, _ rows: Int, _ columns: Int
    ) -> (least: Int32, most: Int32) {
        var (least, most) = (Int32.max, Int32.min)
        for plane in 0..<planes {
            let start = (plane * rows + row) * columns
            for offset in offsets[start..<start + columns] { (least, most) = (min(least, offset), max(most, offset)) }
        }
        return (least, most)
    }

    /// Source rows that picture rows `y` and `y + 1` need and no earlier rows do.
    func sourceRows(_ y: Int) -> ClosedRange<Int> {
        let upper = min(max(y, 0), size.height - 1)
        return Int(first[upper])...Int(last[min(max(y + 1, 0), size.height - 1)])
    }

    func across(_ plane: Int, _ y: Int, into offsets: UnsafeMutablePointer<Int32>) {
        Self.interpolate(across, plane * acrossRows, y, columns, into: offsets)
    }

    func down(_ plane: Int, _ y: Int, into offsets: UnsafeMutablePointer<Int32>) {
        Self.interpolate(down, plane * downRows, y, columns, into: offsets)
    }

    private static func interpolate(
        _ grid: [Int32], _ firstRow: Int, _ y: Int, _ columns: Int, into offsets: UnsafeMutablePointer<Int32>
    ) {
        grid.withUnsafeBufferPointer { grid in
            guard let start = grid.baseAddress else { return }
            let upper = start + (firstRow + y / spacing) * columns
            let share = Int32(truncatingIfNeeded: y % spacing)
            for index in 0..<columns {
                let difference = upper[index + columns] &- upper[index]
                offsets[index] = upper[index] &+ (difference &* share) &>> 3
            }
        }
    }
}
