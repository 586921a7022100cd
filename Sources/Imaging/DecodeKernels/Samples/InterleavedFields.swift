public import Pixels

/// Rows and columns that a DNG stores in fields (RowInterleaveFactor, ColumnInterleaveFactor): the first of each group,
/// then the second, and so on. Two by two fields turn a mosaic into four pictures of one colour each, which compress
/// better.
public struct InterleavedFields: Sendable {
    private let rows: [Int]
    private let columns: [Int]

    /// Proves that every row and column has exactly one place.
    ///
    /// - Parameters:
    ///   - width: in pixels.
    ///   - height: in rows.
    ///   - rowFactor: fields of rows; a factor not below the height means one field.
    ///   - columnFactor: fields of columns; likewise.
    public init?(width: Int, height: Int, rowFactor: Int, columnFactor: Int) {
        let edges = 1...1 << 20
        guard edges.contains(width), edges.contains(height), rowFactor > 0, columnFactor > 0 else { return nil }
        rows = Self.places(height, rowFactor < height ? rowFactor : 1)
        columns = Self.places(width, columnFactor < width ? columnFactor : 1)
    }

    /// Stored place of each line. Of unequal fields, the first ones have one more line.
    private static func places(_ count: Int, _ factor: Int) -> [Int] {
        (0..<count).map { line in
            let field = line % factor
            return field * (count / factor) + min(field, count % factor) + line / factor
        }
    }

    /// Restores the picture; nil if the plane has another size. `samplesPerPixel` is 1 to 4.
    public func picture<Sample: BitwiseCopyable>(
        of stored: borrowing Plane<Sample>, samplesPerPixel: Int
    ) -> Plane<Sample>? {
        guard (1...4).contains(samplesPerPixel), stored.height == rows.count,
            stored.width == columns.count * samplesPerPixel
        else { return nil }
        let picture = Plane<Sample>(width: stored.width, height: stored.height)
        for (y, place) in rows.enumerated() {
            let (row, source) = (picture.row(y), stored.row(place))
            for (x, column) in columns.enumerated() {
                for sample in 0..<samplesPerPixel {
                    row[x * samplesPerPixel + sample] = source[column * samplesPerPixel + sample]
                }
            }
        }
        return picture
    }
}
