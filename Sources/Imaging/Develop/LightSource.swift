/// Colour temperature and chromaticity of light sources.
enum LightSource {
    /// Kelvin of an EXIF LightSource number; D65 where it names no light.
    static func temperature(exifLightSource number: Int?) -> Double {
        switch number {
        case 1, 4, 9, 20: 5503
        case 2, 14: 4230
        case 3, 17: 2856
        case 10, 21: 6504
        case 11, 22: 7504
        case 12: 6430
        case 13, 23: 5003
        case 15: 3450
        case 18: 4874
        case 19: 6774
        case 24: 3200
        default: 6504
        }
    }

    /// Correlated colour temperature (C. S. McCamy, 1992, "Correlated color temperature as an explicit function of
    /// chromaticity coordinates"), held to 1,667…25,000 K.
    static func temperature(of white: Chromaticity) -> Double {
        let denominator = 0.1858 - white.y
        guard denominator.magnitude > 1e-6 else { return 25_000 }
        let n = (white.x - 0.3320) / denominator
        let kelvin = ((449 * n + 3525) * n + 6823.3) * n + 5520.33
        return min(max(kelvin, 1667), 25_000)
    }

    /// The white of a temperature and a tint: daylight from 4,000 K (CIE 15:2004), a black body below
    /// (B. Kang et al., 2002, "Design of advanced color temperature control system for HDTV applications").
    ///
    /// - Parameter tint: distance from the locus, 3,000 steps to one of CIE 1960 u, v; positive is magenta-wards.
    static func white(kelvin: Double, tint: Double) -> Chromaticity {
        let t = min(max(kelvin, 1667), 25_000)
        let here = uv(locus(t))
        let next = uv(locus(t * 1.01))
        let du = next.u - here.u
        let dv = next.v - here.v
        let length = (du * du + dv * dv).squareRoot()
        guard length > 0 else { return locus(t) }
        // Along falling u the normal towards smaller v is the magenta side.
        let shift = tint / 3000 / length
        return xy(u: here.u - dv * shift, v: here.v + du * shift)
    }

    private static func locus(_ t: Double) -> Chromaticity {
        let r = 1000 / t
        if t >= 4000 {
            let x =
                t <= 7000
                ? ((-4.6070 * r + 2.9678) * r + 0.09911) * r + 0.244063
                : ((-2.0064 * r + 1.9018) * r + 0.24748) * r + 0.237040
            return Chromaticity(x: x, y: (-3.000 * x + 2.870) * x - 0.275)
        }
        let x = ((-0.2661239 * r - 0.2343589) * r + 0.8776956) * r + 0.179910
        let y =
            t < 2222
            ? ((-1.1063814 * x - 1.34811020) * x + 2.18555832) * x - 0.20219683
            : ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
        return Chromaticity(x: x, y: y)
    }

    private static func uv(_ c: Chromaticity) -> (u: Double, v: Double) {
        let d = -2 * c.x + 12 * c.y + 3
        return (4 * c.x / d, 6 * c.y / d)
    }

    private static func xy(u: Double, v: Double) -> Chromaticity {
        let d = 2 * u - 8 * v + 4
        return Chromaticity(x: 3 * u / d, y: 2 * v / d)
    }
}
