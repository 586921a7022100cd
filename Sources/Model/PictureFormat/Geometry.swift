/// Width and height of an image, in pixels.
public struct PixelSize: Hashable, Sendable {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// Memberwise initializer.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The number of pixels.
    public var pixelCount: Int { width * height }
    /// Width and height exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }
}

/// A rectangle of whole pixels.
public struct PixelRect: Hashable, Sendable {
    /// Column of the top-left corner.
    public var x: Int
    /// Row of the top-left corner.
    public var y: Int
    /// Width and height.
    public var size: PixelSize

    /// Memberwise initializer.
    public init(x: Int, y: Int, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }
}

/// How stored rows must be turned to be upright: the eight values of EXIF's Orientation (0x0112).
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
    case upright = 1
    case mirroredHorizontally = 2
    case rotated180 = 3
    case mirroredVertically = 4
    /// Mirror along the top-left to bottom-right diagonal.
    case transposed = 5
    /// The picture is upright after a quarter turn clockwise.
    case rotated90Clockwise = 6
    /// Mirror along the other diagonal.
    case transversed = 7
    /// The picture is upright after a quarter turn counter-clockwise.
    case rotated90CounterClockwise = 8

    /// Whether rows become columns, so that width and height are exchanged.
    public var swapsAxes: Bool { rawValue >= 5 }
}
