import PictureFormat
import Pixels

/// A 3 × 3 matrix in double precision, row-major, for the colour algebra before the pixels.
struct Matrix3D: Equatable {
    var m: [Double]

    init(_ m: [Double]) { self.m = m }
    init(_ matrix: Matrix3) { m = matrix.elements.map(Double.init) }
    static func diagonal(_ v: [Double]) -> Matrix3D { Matrix3D([v[0], 0, 0, 0, v[1], 0, 0, 0, v[2]]) }
    static let identity = Matrix3D([1, 0, 0, 0, 1, 0, 0, 0, 1])

    static func * (a: Matrix3D, b: Matrix3D) -> Matrix3D {
        Matrix3D(
            (0..<9).map { i in
                let row = i / 3 * 3
                let column = i % 3
                return a.m[row] * b.m[column] + a.m[row + 1] * b.m[column + 3] + a.m[row + 2] * b.m[column + 6]
            })
    }

    static func * (a: Matrix3D, v: [Double]) -> [Double] {
        (0..<3).map { a.m[3 * $0] * v[0] + a.m[3 * $0 + 1] * v[1] + a.m[3 * $0 + 2] * v[2] }
    }

    /// The inverse, or nil where the matrix is singular, nearly so, or not finite.
    var inverse: Matrix3D? {
        let c = [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
        let determinant = m[0] * c[0] + m[1] * c[3] + m[2] * c[6]
        let size = m.map(\.magnitude).max() ?? 0
        guard determinant.isFinite, determinant.magnitude > 1e-9 * size * size * size else { return nil }
        let inverse = c.map { $0 / determinant }
        return inverse.allSatisfy(\.isFinite) ? Matrix3D(inverse) : nil
    }
}

/// A CIE 1931 chromaticity.
struct Chromaticity: Equatable {
    var x: Double
    var y: Double

    static let d65 = Chromaticity(x: 0.31271, y: 0.32902)

    /// XYZ with Y = 1.
    var xyz: [Double] { [x / y, 1, (1 - x - y) / y] }

    init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Nil for a colour that is no light: a tristimulus value that is not positive.
    init?(xyz: [Double]) {
        let sum = xyz[0] + xyz[1] + xyz[2]
        guard sum.isFinite, xyz[0] > 0, xyz[1] > 0, xyz[2] > 0 else { return nil }
        x = xyz[0] / sum
        y = xyz[1] / sum
    }
}

/// Chromatic adaptation between two white points by the Bradford transform (Lam 1985; ICC.1:2022, Annex E).
func bradford(from source: Chromaticity, to target: Chromaticity) -> Matrix3D {
    let cone = Matrix3D([0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296])
    guard let back = cone.inverse else { return .identity }
    let from = cone * source.xyz
    let to = cone * target.xyz
    guard from.allSatisfy({ $0 > 0 }) else { return .identity }
    return back * .diagonal([to[0] / from[0], to[1] / from[1], to[2] / from[2]]) * cone
}

/// The primaries of the spaces light passes through; the white of all of them is D65.
enum Primaries {
    case rec709, displayP3, adobeRGB, rec2020

    init(_ space: ColourSpace) {
        self =
            switch space {
            case .sRGB: .rec709
            case .displayP3: .displayP3
            case .adobeRGB: .adobeRGB
            }
    }

    private var chromaticities: [Chromaticity] {
        let (r, g, b): ((Double, Double), (Double, Double), (Double, Double)) =
            switch self {
            case .rec709: ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
            case .displayP3: ((0.68, 0.32), (0.265, 0.69), (0.15, 0.06))
            case .adobeRGB: ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06))
            case .rec2020: ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046))
            }
        return [r, g, b].map { Chromaticity(x: $0.0, y: $0.1) }
    }

    /// Linear RGB to XYZ (D65), with RGB (1, 1, 1) at Y = 1.
    var toXYZ: Matrix3D {
        let columns = chromaticities.map(\.xyz)
        let raw = Matrix3D((0..<9).map { columns[$0 % 3][$0 / 3] })
        let gains = (raw.inverse ?? .identity) * Chromaticity.d65.xyz
        return raw * .diagonal(gains)
    }

    var fromXYZ: Matrix3D { toXYZ.inverse ?? .identity }
}
