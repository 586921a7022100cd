/// A three-dimensional colour lookup table (LUT) as plain numbers.
///
/// An effect that is nothing but a LUT hands it over in this form, so that the developer can build it into its own last
/// pass. Input and output are display-encoded; values between the points follow from tetrahedral interpolation.
public final class LUT3D: Sendable {
    /// Points along each edge, at least 2.
    public let size: Int
    /// Red, green, blue of each of the `size³` points; the input's red runs fastest, blue slowest.
    public let points: [Float]
    /// The coordinate (0…1 along the edge) at which a channel's value is looked up. Nil: the value is the coordinate.
    public let coordinate: (@Sendable (_ channel: Int, _ value: Float) -> Float)?

    /// - Parameters:
    ///   - size: points along each edge, at least 2.
    ///   - points: `3 · size³` values.
    ///   - coordinate: maps a channel's value to its coordinate; nil where they are equal.
    public init(size: Int, points: [Float], coordinate: (@Sendable (_ channel: Int, _ value: Float) -> Float)? = nil) {
        precondition(size >= 2 && points.count == 3 * size * size * size, "a 3-D LUT has size³ points")
        self.size = size
        self.points = points
        self.coordinate = coordinate
    }
}

/// A LUT and how strongly it applies.
public struct WeightedLUT: Sendable {
    /// The full effect.
    public let lut: LUT3D
    /// 0 leaves colours as they are, 1 is the full effect; linear between.
    public let weight: Float

    /// - Parameters:
    ///   - lut: the full effect.
    ///   - weight: 0…1.
    public init(_ lut: LUT3D, weight: Float = 1) {
        self.lut = lut
        self.weight = weight
    }
}
