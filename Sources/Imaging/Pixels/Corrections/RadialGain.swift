/// A factor that depends on the distance from a centre: 1 + k₀r² + k₁r⁴ + k₂r⁶ + k₃r⁸ + k₄r¹⁰, where `r` is 1 at the
/// farthest corner (Adobe, 2012, "Digital Negative Specification 1.4", FixVignetteRadial); or the reciprocal, for a
/// polynomial of the remaining light.
public struct RadialGain: Hashable, Sendable {
    /// Plausible factors: no lens or sensor exceeds them.
    public static let range: ClosedRange<Float> = 1.0 / 64...64

    /// The centre's column, in pixels of the plane.
    public let centreX: Float
    /// The centre's row.
    public let centreY: Float
    /// 1 over the square of the distance of the farthest corner.
    public let inverseSquare: Float
    /// k₀ to k₄.
    public let coefficients: SIMD8<Float>
    /// Whether the factor is the reciprocal of the polynomial.
    public let isReciprocal: Bool
    /// Upper bound of the factor in the picture.
    public let greatest: Float

    /// Creates a gain; nil unless there are five finite coefficients and a distance of at least one pixel.
    public init?(
        centreX: Double, centreY: Double, distance: Double, coefficients: [Double], isReciprocal: Bool = false
    ) {
        guard centreX.magnitude < 1e9, centreY.magnitude < 1e9, distance >= 1, distance < 1e9, coefficients.count == 5,
            coefficients.allSatisfy({ $0.magnitude <= 1e6 })
        else { return nil }
        self.centreX = Float(centreX)
        self.centreY = Float(centreY)
        inverseSquare = Float(1 / (distance * distance))
        var vector = SIMD8<Float>.zero
        for index in 0..<5 { vector[index] = Float(coefficients[index]) }
        self.coefficients = vector
        self.isReciprocal = isReciprocal
        if isReciprocal {
            greatest = Self.range.upperBound
            return
        }
        // The sum of the positive coefficients is a bound, although the factor need not be monotonic.
        let most = coefficients.reduce(1.0) { $0 + max($1, 0) }
        greatest = Float(min(most, Double(Self.range.upperBound)))
    }

    /// The factor of one sample.
    public func gain(x: Float, y: Float) -> Float {
        let square = ((x - centreX) * (x - centreX) + (y - centreY) * (y - centreY)) * inverseSquare
        let k = coefficients
        let sum = 1 + square * (k[0] + square * (k[1] + square * (k[2] + square * (k[3] + square * k[4]))))
        let gain = isReciprocal ? 1 / sum : sum
        // NaN becomes the lowest factor, and so does a reciprocal of a negative number.
        let positive = gain > Self.range.lowerBound ? gain : Self.range.lowerBound
        return min(positive, Self.range.upperBound)
    }
}
