/// Maps pixels of a corrected picture to their places in the uncorrected one (Adobe, 2012, "Digital Negative
/// Specification 1.4", WarpRectilinear and WarpFisheye; the polynomials of Lensfun; and the tables of cameras).
public struct LensWarp: Hashable, Sendable {
    /// Eight coordinates that are computed together.
    public typealias Vector = SIMD8<Double>

    /// Formula of the radial coefficients.
    public enum Formula: Hashable, Sendable {
        /// r' = r (k₀ + k₁r² + k₂r⁴ + k₃r⁶).
        case rectilinear
        /// r' = k₀θ + k₁θ³ + k₂θ⁵ + k₃θ⁷ with tan θ = r: converts a fisheye picture to rectilinear.
        case fisheye
        /// r' = r (k₀ + k₁r + k₂r² + k₃r³).
        case cubic
        /// r' = r · factor, by a table.
        case table
    }

    /// Displacement of one colour.
    public struct Plane: Hashable, Sendable {
        /// k₀ to k₃ of the formula.
        public let radial: SIMD4<Double>
        /// For decentred lenses; only with the rectilinear formula.
        public let tangential: SIMD2<Double>
        /// Factors of the `table` formula; nil for the others.
        public let table: RadialTable?

        /// Creates a polynomial.
        public init(radial: SIMD4<Double>, tangential: SIMD2<Double> = .zero) {
            self.radial = radial
            self.tangential = tangential
            table = nil
        }

        /// - Parameter table: factors of the distance.
        public init(table: RadialTable) {
            radial = SIMD4(1, 0, 0, 0)
            tangential = .zero
            self.table = table
        }
    }

    /// The optical centre, in pixels of the plane.
    public let centre: SIMD2<Double>
    /// Distance that is 1 in the formulas, in pixels.
    public let distance: Double
    /// One plane for all colours, or red, green and blue.
    public let planes: [Plane]
    /// Formula of the radial coefficients.
    public let formula: Formula

    private static let coefficients = -1000.0...1000

    /// Creates a warp; nil unless there are 1 or 3 planes of plausible numbers.
    public init?(centre: SIMD2<Double>, distance: Double, planes: [Plane], formula: Formula) {
        let numbers = planes.flatMap { plane in (0..<4).map { plane.radial[$0] } + (0..<2).map { plane.tangential[$0] }
        }
        guard planes.count == 1 || planes.count == 3, numbers.allSatisfy(Self.coefficients.contains),
            (1...1e6).contains(distance), (-1e6...1e6).contains(centre.x), (-1e6...1e6).contains(centre.y),
            planes.allSatisfy({ ($0.table != nil) == (formula == .table) })
        else { return nil }
        self.centre = centre
        self.distance = distance
        self.planes = planes
        self.formula = formula
    }

    /// Displacement of one channel: 0 red, 1 green, 2 blue.
    public func motion(channel: Int) -> Motion {
        let plane = planes[planes.count == 1 ? 0 : channel]
        return Motion(
            centre: centre, distance: distance, inverse: 1 / distance, radial: plane.radial,
            tangential: plane.tangential, table: plane.table, formula: formula)
    }

    /// Displacement of one channel.
    public struct Motion: Sendable {
        fileprivate let centre: SIMD2<Double>
        fileprivate let distance: Double
        fileprivate let inverse: Double
        fileprivate let radial: SIMD4<Double>
        fileprivate let tangential: SIMD2<Double>
        fileprivate let table: RadialTable?
        fileprivate let formula: LensWarp.Formula
    }

    /// The angle with tangent `x`, 0 or more, to 10⁻¹³, with the same bits on every processor.
    ///
    /// Halving the angle twice, atan x = 2 atan (x / (1 + √(1 + x²))), leaves at most a quarter of a right angle, for
    /// which the series converges quickly.
    fileprivate static func arcTangent(_ x: Vector) -> Vector {
        let half = x / (1 + (1 + x * x).squareRoot())
        let quarter = half / (1 + (1 + half * half).squareRoot())
        let square = quarter * quarter
        var sum = Vector.zero
        for k in stride(from: 33, through: 1, by: -2) {
            let term = (k / 2 % 2 == 0 ? 1.0 : -1.0) / Double(k)
            sum = square * sum + term
        }
        return 4 * quarter * sum
    }
}

extension LensWarp.Motion {
    /// Source of eight pixels, in columns and rows of the plane.
    public func source(_ x: LensWarp.Vector, _ y: LensWarp.Vector) -> (x: LensWarp.Vector, y: LensWarp.Vector) {
        typealias Vector = LensWarp.Vector
        let (dx, dy): (Vector, Vector) = ((x - centre.x) * inverse, (y - centre.y) * inverse)
        let square: Vector = dx * dx + dy * dy
        var (power, angle, factor) = (square, Vector.zero, Vector.zero)
        if formula == .fisheye {
            angle = LensWarp.arcTangent(square.squareRoot())
            power = angle * angle
        }
        if formula == .cubic { power = square.squareRoot() }
        factor = (radial[3] * power + radial[2]) * power
        factor = (factor + radial[1]) * power + radial[0]
        if formula == .fisheye {
            let ratio: Vector = angle / square.squareRoot()
            factor *= ratio.replacing(with: 1, where: square .< 1e-18)
        }
        if let table { factor = table.factor(square.squareRoot()) }
        var (across, down): (Vector, Vector) = (dx * factor, dy * factor)
        if tangential != .zero {
            let product: Vector = 2 * dx * dy
            let (acrossSquare, downSquare): (Vector, Vector) = (square + 2 * dx * dx, square + 2 * dy * dy)
            across += tangential[0] * product + tangential[1] * acrossSquare
            down += tangential[1] * product + tangential[0] * downSquare
        }
        return (centre.x + distance * across, centre.y + distance * down)
    }
}
