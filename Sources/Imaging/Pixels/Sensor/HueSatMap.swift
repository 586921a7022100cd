/// A camera profile's table of colour shifts by hue, saturation and value in linear ProPhoto RGB (Adobe, 2023, "Digital
/// Negative Specification" 1.7, tags ProfileHueSatMapData and ProfileLookTableData).
public struct HueSatMap: Hashable, Sendable {
    /// Shift of a colour.
    public typealias Point = SIMD3<Float>

    /// Maximum points. Tables have a few thousand points; Adobe's own at most 46,080.
    private static let maxPoints = 1 << 18
    private static let hueShifts: ClosedRange<Float> = -360...360
    private static let factors: ClosedRange<Float> = 0...100

    /// Divisions of the circle of hues, at least 1.
    public let hues: Int
    /// Divisions of saturation from grey to full, both included, at least 2.
    public let saturations: Int
    /// Divisions of value from black to white, both included; 1 for a table independent of value.
    public let values: Int
    /// Whether the table uses sRGB-encoded value; false for linear light.
    public let encodesValue: Bool
    /// Shift of hue in degrees, factor of saturation, factor of value of each point. Saturation runs fastest, value
    /// slowest.
    public let points: [Point]

    /// Creates a table; nil unless there is a point for each division, and all numbers are plausible.
    public init?(hues: Int, saturations: Int, values: Int, encodesValue: Bool = false, points: [Point]) {
        let sizes = 1...Self.maxPoints
        guard sizes.contains(hues), (2...Self.maxPoints).contains(saturations), sizes.contains(values),
            hues * saturations <= Self.maxPoints, hues * saturations * values == points.count,
            points.count <= Self.maxPoints,
            points.allSatisfy({
                Self.hueShifts.contains($0.x) && Self.factors.contains($0.y) && Self.factors.contains($0.z)
            })
        else { return nil }
        self.hues = hues
        self.saturations = saturations
        self.values = values
        self.encodesValue = encodesValue && values > 1
        self.points = points
    }

    /// Interpolates between two tables: `weight` 1 is this one, 0 the other. A table of another shape is ignored.
    public func mixed(_ weight: Float, with other: HueSatMap) -> HueSatMap {
        let fits = hues == other.hues && saturations == other.saturations && values == other.values
        guard fits else { return weight >= 0.5 ? self : other }
        let mixed = zip(points, other.points).map { $0 * weight + $1 * (1 - weight) }
        return HueSatMap(
            hues: hues, saturations: saturations, values: values, encodesValue: encodesValue, points: mixed) ?? self
    }
}
