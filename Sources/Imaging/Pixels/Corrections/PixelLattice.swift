public import PictureFormat

/// Every n-th row and every m-th column of a rectangle, beginning at its corner.
public struct PixelLattice: Hashable, Sendable {
    /// It may reach beyond the plane.
    public let rect: PixelRect
    /// Rows from one to the next, at least 1.
    public let rowPitch: Int
    /// Columns from one to the next, at least 1.
    public let columnPitch: Int

    /// Coordinates of planes; what a file states beyond them has no meaning.
    private static let coordinates = 0...1 << 24

    /// Nil for a rectangle without pixels or of unreasonable size, and for pitches of zero.
    public init?(_ rect: PixelRect, rowPitch: Int = 1, columnPitch: Int = 1) {
        guard
            [rect.x, rect.y, rect.size.width, rect.size.height, rowPitch, columnPitch]
                .allSatisfy(Self.coordinates.contains), rect.size.width > 0, rect.size.height > 0, rowPitch > 0,
            columnPitch > 0
        else { return nil }
        self.rect = rect
        self.rowPitch = rowPitch
        self.columnPitch = columnPitch
    }

    /// Rows of the lattice.
    public var rowCount: Int { (rect.size.height + rowPitch - 1) / rowPitch }
    /// Columns of the lattice.
    public var columnCount: Int { (rect.size.width + columnPitch - 1) / columnPitch }

    /// Whether row `y` of the plane is one of the lattice's.
    @inline(__always)
    public func containsRow(_ y: Int) -> Bool {
        y >= rect.y && y < rect.y + rect.size.height && (y - rect.y) % rowPitch == 0
    }

    /// Whether a pixel of the plane is one of the lattice's.
    public func contains(x: Int, y: Int) -> Bool {
        containsRow(y) && x >= rect.x && x < rect.x + rect.size.width && (x - rect.x) % columnPitch == 0
    }
}
