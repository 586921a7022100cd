/// A table of factors over a picture, with bilinear interpolation. Beyond the outermost points the factor is constant.
public struct GainMap: Hashable, Sendable {
    /// Points of one direction, in pixels of the plane: point `i` lies at `origin + i · spacing`.
    public struct Axis: Hashable, Sendable {
        /// The coordinate of point 0.
        public let origin: Float
        /// Distance of points; positive.
        public let spacing: Float
        /// Number of points, at least 1.
        public let count: Int

        /// Creates an axis; nil unless all numbers are finite and in range.
        public init?(origin: Double, spacing: Double, count: Int) {
            guard origin.isFinite, origin.magnitude < 1e9, spacing >= 1e-3, spacing < 1e9, count > 0 else { return nil }
            self.origin = Float(origin)
            self.spacing = Float(spacing)
            self.count = count
        }

        /// The point at or before a coordinate, and the fraction of the way to the next one, 0…1.
        @inline(__always)
        public func position(_ coordinate: Int) -> (point: Int, share: Float) {
            let place = (Float(coordinate) - origin) / spacing
            let bounded = min(max(place, 0), Float(count - 1))
            let point = min(Int(bounded), max(count - 2, 0))
            return (point, bounded - Float(point))
        }
    }

    /// Maximum points of a map: 16 MB.
    public static let maxPoints = 1 << 22

    /// Points along the columns.
    public let horizontal: Axis
    /// Points along the rows.
    public let vertical: Axis
    /// Factors of each point: 1 for all channels, or up to 3.
    public let planes: Int
    /// `vertical.count` rows of `horizontal.count` points of `planes` factors.
    public let factors: [Float]

    /// Creates a map; nil unless every point has its factors, and these lie in `RadialGain.range`.
    public init?(horizontal: Axis, vertical: Axis, planes: Int, factors: [Float]) {
        let (points, overflow) = horizontal.count.multipliedReportingOverflow(by: vertical.count)
        guard !overflow, points <= Self.maxPoints, (1...3).contains(planes), factors.count == points * planes,
            factors.allSatisfy(RadialGain.range.contains)
        else { return nil }
        self.horizontal = horizontal
        self.vertical = vertical
        self.planes = planes
        self.factors = factors
    }

    /// Index of a channel's factor in a point's factors. The last factor also applies to all further channels.
    public func plane(_ channel: Int) -> Int { min(max(channel, 0), planes - 1) }

    /// The factor of one sample.
    public func gain(x: Int, y: Int, channel: Int) -> Float {
        let (row, down) = vertical.position(y)
        let (column, across) = horizontal.position(x)
        let plane = plane(channel)
        func factor(_ row: Int, _ column: Int) -> Float {
            let (row, column) = (min(row, vertical.count - 1), min(column, horizontal.count - 1))
            return factors[(row * horizontal.count + column) * planes + plane]
        }
        let upper = factor(row, column) + (factor(row, column + 1) - factor(row, column)) * across
        let lower = factor(row + 1, column) + (factor(row + 1, column + 1) - factor(row + 1, column)) * across
        return upper + (lower - upper) * down
    }
}
