internal import CCubic
package import PictureFormat

/// How far each pixel of a picture lies from where it comes from, on a grid between whose points it is linear.
///
/// The way is in two steps, each along one direction: first every row of the source is stretched (`across`), then every
/// column of what that gives (`down`; E. Catmull and A. R. Smith, 1980, "3-D transformations of images in scanline
/// order").
package struct WarpField: Sendable {
    /// Pixels from one point of the grid to the next, in both directions.
    package static var spacing: Int { 8 }
    /// Pixels that are made at once, by this build.
    static var cell: Int { Int(RAWMILL_CELL) }
    /// Whole cells of any build: the grid, and what is proved of it, is the same for all of them.
    private static let wholeCells = 32
    /// 65,536ths of a pixel: what a coordinate is counted in.
    package static var unit: Int { 65_536 }
    /// Farther than that nothing is looked for.
    private static let maxOffset: Int32 = 8000 * 65_536

    /// Of the picture that is made.
    package let size: PixelSize
    /// Of the picture that it is made of.
    package let source: PixelSize
    /// 1 where all colours move alike, or 3: those of red, green and blue.
    let planes: Int
    /// Points of a row of the grid.
    let columns: Int
    /// By plane, offsets of columns in the source from those of the picture, at rows of the source.
    private let across: [Int32]
    /// By plane, offsets of rows in the source from those of the picture, at rows of the picture.
    private let down: [Int32]
    private let acrossRows: Int
    private let downRows: Int
    /// By row of the picture, the first row of the source that it or a later row needs.
    private let first: [Int32]
    /// By row of the picture, the last row of the source that it or an earlier row needs.
    private let last: [Int32]
    /// Rows of the source that two rows of the picture need at most.
    let reach: Int

    /// Points of the grid that a picture needs in a row.
    package static func columns(width: Int) -> Int {
        (width + wholeCells - 1) / wholeCells * (wholeCells / spacing) + 1
    }
    /// Rows of points that rows of a picture need.
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

    /// Whether offsets change by no more than 7 pixels from one point to the next.
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

    /// The greatest difference between two rows of offsets, none of which is beyond `maxOffset`.
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

    /// The rows of the source that rows `y` and `y + 1` of the picture, and none before them, need.
    func sourceRows(_ y: Int) -> ClosedRange<Int> {
        let upper = min(max(y, 0), size.height - 1)
        return Int(first[upper])...Int(last[min(max(y + 1, 0), size.height - 1)])
    }

    /// Writes the offsets of columns in row `y` of the source.
    func across(_ plane: Int, _ y: Int, into offsets: UnsafeMutablePointer<Int32>) {
        Self.interpolate(across, plane * acrossRows, y, columns, into: offsets)
    }

    /// Writes the offsets of rows in row `y` of the picture.
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
