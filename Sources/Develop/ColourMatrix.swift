import Pixels

/// A colour matrix over rows; what comes out below zero (a colour outside the space) becomes zero.
struct ColourMatrix: Sendable {
    private let m: (Float, Float, Float, Float, Float, Float, Float, Float, Float)

    init(_ matrix: Matrix3D) {
        let v = matrix.m.map { Float($0) }
        m = (v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8])
    }

    @inline(__always)
    func apply(_ row: PixelRow) {
        let (a, b, c, d, e, f, g, h, i) = m
        let red = row.red
        let green = row.green
        let blue = row.blue
        for x in 0..<row.count {
            let u = red[x]
            let v = green[x]
            let w = blue[x]
            let r = a * u + b * v + c * w
            let s = d * u + e * v + f * w
            let t = g * u + h * v + i * w
            red[x] = r > 0 ? r : 0
            green[x] = s > 0 ? s : 0
            blue[x] = t > 0 ? t : 0
        }
    }
}
