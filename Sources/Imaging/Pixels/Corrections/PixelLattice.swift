public import PictureFormat

/// Every n-th row and every m-th column of a rectangle, beginning at its corner.
public struct PixelLattice: Hashable, Sendable {
    /// Rectangle of the lattice, which may exceed the plane.
    public let rect: PixelRect
    /// Distance of rows, at least 1.
    public let rowPitch: Int
    /// Distance of columns, at least 1.
    public let columnPitch: Int

    /// Valid coordinates of planes.
    private static let coordinates = 0...1 << 24

    /// Creates a lattice; nil for an empty or implausibly large rectangle, and for pitches of zero.
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

    /// Number of rows of the lattice.
    public var rowCount: Int { (rect.size.height + rowPitch - 1) / rowPitch }
    /// Number of columns of the lattice.
    public var columnCount: Int { (rect.size.width + columnPitch - 1) / columnPitch }

    /// Whether row `y` of the plane belongs to the lattice.
    @inline(__always)
    public func containsRow(_ y: Int) -> Bool {
        y >= rect.y && y < rect.y + rect.size.height && (y - rect.y) % rowPitch == 0
    }

    /// Whether a pixel of the plane belongs to the lattice.
    public func contains(x: Int, y: Int) -> Bool {
        containsRow(y) && x >= rect.x && x < rect.x + rect.size.width && (x - rect.x) % columnPitch == 0
    }
}
