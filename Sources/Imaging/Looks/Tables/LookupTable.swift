import PixelKernels
import Pixels

/// Contents of a `.cube` file or a Hald picture: curves, a colour table, or both, with the curves first.
///
/// The reader accepts `.cube` files (Adobe, 2013, "Cube LUT Specification" 1.0) with common extensions: a byte order
/// mark, any line end, tabs, keywords in lower case, the input ranges of DaVinci Resolve, and a one-dimensional table
/// before a three-dimensional one: the shaper, whose output is the 3-D table's input.
struct LookupTable: Equatable {
    /// The input range of a table, by channel; other values are clamped to it.
    struct Domain: Equatable {
        var minimum: SIMD3<Float> = .zero
        var maximum: SIMD3<Float> = .one
    }

    /// A one-dimensional table: `size` rows of red, green, blue; each channel has a separate curve.
    struct Curves: Equatable {
        var size: Int
        var domain: Domain
        var values: [Float]
    }

    /// A three-dimensional table: `size³` rows of red, green, blue; the input's red runs fastest.
    struct Cube: Equatable {
        var size: Int
        var domain: Domain
        var values: [Float]
    }

    var curves: Curves?
    var cube: Cube?

    init(curves: Curves?, cube: Cube?) {
        self.curves = curves
        self.cube = cube
    }

    /// Replaces colours by the table's.
    struct Interpolator: Sendable {
        private let curves: CurveInterpolator?
        private let cube: TetrahedralInterpolator?

        init(_ table: LookupTable) {
            curves = table.curves.map(CurveInterpolator.init)
            cube = table.cube.map(TetrahedralInterpolator.init)
        }

        func process(_ row: PixelRow) {
            unsafe curves?.apply(row.red, row.green, row.blue, count: row.count)
            unsafe cube?.apply(row.red, row.green, row.blue, count: row.count)
        }
    }
}

extension CurveInterpolator {
    fileprivate convenience init(_ curves: LookupTable.Curves) {
        self.init(
            size: curves.size, values: curves.values, minimum: curves.domain.minimum, maximum: curves.domain.maximum)
    }
}

extension TetrahedralInterpolator {
    fileprivate convenience init(_ cube: LookupTable.Cube) {
        self.init(size: cube.size, points: cube.values, minimum: cube.domain.minimum, maximum: cube.domain.maximum)
    }
}
