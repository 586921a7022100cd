import Foundation
import Testing

/// The 24 patches of a ColorChecker, and the distance of rendered colours from them.
enum ColourChecker {
    /// CIELAB under D50 of charts made before November 2014, row by row (X-Rite, 2016, "Colorimetric values for
    /// ColorChecker family of targets").
    static let patches: [SIMD3<Double>] = [
        [37.986, 13.555, 14.059], [65.711, 18.13, 17.81], [49.927, -4.88, -21.925], [43.139, -13.095, 21.905],
        [55.112, 8.844, -25.399], [70.719, -33.397, -0.199], [62.661, 36.067, 57.096], [40.02, 10.41, -45.964],
        [51.124, 48.239, 16.248], [30.325, 22.976, -21.587], [72.532, -23.709, 57.255], [71.941, 19.363, 67.857],
        [28.778, 14.179, -50.297], [55.261, -38.342, 31.37], [42.101, 53.378, 28.19], [81.733, 4.039, 79.819],
        [51.935, 49.986, -14.574], [51.038, -28.631, -28.638], [96.539, -0.425, 1.186], [81.257, -0.638, -0.335],
        [66.766, -0.734, -0.504], [50.867, -0.153, -0.27], [35.656, -0.421, -1.231], [20.461, -0.079, -0.973],
    ]
    /// The light grey below the white patch.
    static let greyPatch = 19

    /// Mean colours of the patches in the real file.
    static func means(_ pixel: (Int, Int) -> SIMD3<Double>) -> [SIMD3<Double>] {
        let corners: [SIMD2<Double>] = [[714, 624], [1251, 615], [703, 931], [1256, 923]]
        return (0..<24).map { patch in
            let (u, v) = (Double(patch % 6) / 5, Double(patch / 6) / 3)
            let top = corners[0] * (1 - u) + corners[1] * u
            let centre = top * (1 - v) + (corners[2] * (1 - u) + corners[3] * u) * v
            var sum = SIMD3<Double>.zero
            for y in -20..<20 {
                for x in -20..<20 { sum += pixel(Int(centre.x) + x, Int(centre.y) + y) }
            }
            return sum / 1600
        }
    }

    /// Mean ΔE2000 over the patches, at the exposure factor that minimises it.
    ///
    /// - Parameter xyz: linear, relative to D65.
    static func distance(_ xyz: [SIMD3<Double>]) -> Double {
        (0...600).map { step in
            let factor = exp(-4 + Double(step) / 60)
            let distances = zip(xyz, patches).map { deltaE2000(lab($0 * factor), $1) }
            return distances.reduce(0, +) / 24
        }.min() ?? .infinity
    }

    /// CIELAB under D50 of XYZ under D65, with Bradford adaptation.
    static func lab(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
        let adapted = SIMD3(
            1.0478112 * xyz.x + 0.0228866 * xyz.y - 0.0501270 * xyz.z,
            0.0295424 * xyz.x + 0.9904844 * xyz.y - 0.0170491 * xyz.z,
            -0.0092345 * xyz.x + 0.0150436 * xyz.y + 0.7521316 * xyz.z)
        let t = adapted / SIMD3(0.96422, 1, 0.82521)
        func f(_ t: Double) -> Double { t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116 }
        return SIMD3(116 * f(t.y) - 16, 500 * (f(t.x) - f(t.y)), 200 * (f(t.y) - f(t.z)))
    }

    /// G. Sharma, W. Wu, E. N. Dalal, 2005, "The CIEDE2000 color-difference formula".
    static func deltaE2000(_ p: SIMD3<Double>, _ q: SIMD3<Double>) -> Double {
        func power7(_ c: Double) -> Double { sqrt(pow(c, 7) / (pow(c, 7) + pow(25, 7))) }
        let g = 0.5 * (1 - power7((hypot(p.y, p.z) + hypot(q.y, q.z)) / 2))
        let (a1, a2) = (p.y * (1 + g), q.y * (1 + g))
        let (c1, c2) = (hypot(a1, p.z), hypot(a2, q.z))
        func hue(_ a: Double, _ b: Double) -> Double {
            let h = atan2(b, a) * 180 / .pi
            return h < 0 ? h + 360 : h
        }
        let (h1, h2) = (hue(a1, p.z), hue(a2, q.z))
        var dh = h2 - h1
        if dh > 180 { dh -= 360 } else if dh < -180 { dh += 360 }
        let (dL, dC) = (q.x - p.x, c2 - c1)
        let dH = 2 * sqrt(c1 * c2) * sin(dh * .pi / 360)
        let (l, c) = ((p.x + q.x) / 2, (c1 + c2) / 2)
        var h = (h1 + h2) / 2
        if abs(h1 - h2) > 180 { h += h1 + h2 < 360 ? 180 : -180 }
        func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
        let t =
            1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) - 0.2 * cosine(4 * h - 63)
        let sL = 1 + 0.015 * (l - 50) * (l - 50) / sqrt(20 + (l - 50) * (l - 50))
        let (sC, sH) = (1 + 0.045 * c, 1 + 0.015 * c * t)
        let turn = sin(60 * .pi / 180 * exp(-pow((h - 275) / 25, 2)))
        let (x, y, z) = (dL / sL, dC / sC, dH / sH)
        return sqrt(x * x + y * y + z * z - 2 * power7(c) * turn * y * z)
    }
}
