package import ColourScience
import Pixels

/// A colour matrix over rows. Negative results, which are outside the space, and NaN become zero.
package struct ColourMatrix: Sendable {
    private let m: (Float, Float, Float, Float, Float, Float, Float, Float, Float)

    package init(_ matrix: Matrix3x3) {
        let v = matrix.elements.map { Float($0) }
        m = (v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8])
    }

    func apply(_ row: PixelRow) {
        for x in 0..<row.count { store(row, x, row.red[x], row.green[x], row.blue[x]) }
    }

    /// A pixel's root of green, and green minus red and blue (`FixedPointRoots`).
    struct Roots {
        let green: Int16
        let greenMinusRed: Int16
        let greenMinusBlue: Int16
    }

    /// Decodes a row of roots to light and multiplies it. The matrix includes the scale and the encoding's offset.
    /// `roots` returns a pixel's roots by its index.
    @inline(__always)
    func apply(_ encoding: FixedPointRoots, into row: PixelRow, _ roots: (Int) -> Roots) {
        let scaled = scaled(by: 1 / encoding.cube)
        let (a, b, c, d, e, f, g, h, i) = scaled
        let black = (
            -CubeRootEncoding.offset * (m.0 + m.1 + m.2), -CubeRootEncoding.offset * (m.3 + m.4 + m.5),
            -CubeRootEncoding.offset * (m.6 + m.7 + m.8)
        )
        let (red, middle, blue) = (row.red, row.green, row.blue)
        for x in 0..<row.count {
            let root = roots(x)
            let own = Float(root.green)
            let (u, v, w) = (
                cube(own - Float(root.greenMinusRed)), cube(own), cube(own - Float(root.greenMinusBlue))
            )
            let r = a * u + b * v + c * w + black.0
            let s = d * u + e * v + f * w + black.1
            let t = g * u + h * v + i * w + black.2
            red[x] = r > 0 ? r : 0
            middle[x] = s > 0 ? s : 0
            blue[x] = t > 0 ? t : 0
        }
    }

    /// Interpolation may overshoot below zero, where there is no light.
    @inline(__always)
    private func cube(_ root: Float) -> Float {
        let positive = root > 0 ? root : 0
        return positive * positive * positive
    }

    private func scaled(by s: Float) -> (Float, Float, Float, Float, Float, Float, Float, Float, Float) {
        (m.0 * s, m.1 * s, m.2 * s, m.3 * s, m.4 * s, m.5 * s, m.6 * s, m.7 * s, m.8 * s)
    }

    @inline(__always)
    private func store(_ row: PixelRow, _ x: Int, _ u: Float, _ v: Float, _ w: Float) {
        let (a, b, c, d, e, f, g, h, i) = m
        let r = a * u + b * v + c * w
        let s = d * u + e * v + f * w
        let t = g * u + h * v + i * w
        row.red[x] = r > 0 ? r : 0
        row.green[x] = s > 0 ? s : 0
        row.blue[x] = t > 0 ? t : 0
    }
}
