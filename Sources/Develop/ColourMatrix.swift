import Pixels

/// A colour matrix over rows; what comes out below zero (a colour outside the space) becomes zero.
struct ColourMatrix: Sendable {
    private let m: (Float, Float, Float, Float, Float, Float, Float, Float, Float)

    init(_ matrix: Matrix3D) {
        let v = matrix.m.map { Float($0) }
        m = (v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8])
    }

    func apply(_ row: PixelRow) {
        for x in 0..<row.count { store(row, x, row.red[x], row.green[x], row.blue[x]) }
    }

    /// The same for rows of square roots (`RootCoding`).
    func applyToRoots(_ row: PixelRow) {
        for x in 0..<row.count {
            store(
                row, x, RootCoding.decode(row.red[x]), RootCoding.decode(row.green[x]), RootCoding.decode(row.blue[x]))
        }
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
