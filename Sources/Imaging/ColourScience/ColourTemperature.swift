/// Conversion between colour temperatures in kelvin and chromaticities of lights.
public enum ColourTemperature {
    /// Temperature in kelvin of an EXIF LightSource number (Exif 2.32, tag 0x9208), from its illuminant; D65's for
    /// other numbers.
    public static func kelvin(exifLightSource number: Int?) -> Double {
        switch number {
        case 1, 4, 9, 20: 5503  // daylight, flash, fine weather, D55
        case 2, 14: 4230  // fluorescent, cool white fluorescent
        case 3, 17: 2856  // tungsten, standard light A
        case 10, 21: 6504  // cloudy weather, D65
        case 11, 22: 7504  // shade, D75
        case 12: 6430  // daylight fluorescent
        case 13, 23: 5003  // day white fluorescent, D50
        case 15: 3450  // white fluorescent
        case 18: 4874  // standard light B
        case 19: 6774  // standard light C
        case 24: 3200  // ISO studio tungsten
        default: 6504
        }
    }

    /// The correlated colour temperature of a white in kelvin, clamped to 1,667…25,000 (C. S. McCamy, 1992, "Correlated
    /// color temperature as an explicit function of chromaticity coordinates").
    public static func kelvin(of white: Chromaticity) -> Double {
        let denominator = 0.1858 - white.y
        guard denominator.magnitude > 1e-6 else { return PlanckianLocus.kelvins.upperBound }
        let n = (white.x - 0.3320) / denominator
        return clamp(((449 * n + 3525) * n + 6823.3) * n + 5520.33)
    }

    /// The white of a temperature and a tint: daylight from 4,000 K, a black body below.
    ///
    /// - Parameters:
    ///   - kelvin: clamped to 1,667…25,000.
    ///   - tint: distance from the locus in 1/3000 of CIE 1960 u, v. Positive is towards magenta.
    public static func white(kelvin: Double, tint: Double) -> Chromaticity {
        let t = clamp(kelvin)
        guard let place = LocusPlace(t) else { return locus(t) }
        let shift = tint / 3000 / place.length
        return xy(u: place.u - place.dv * shift, v: place.v + place.du * shift)
    }

    /// Tint of a white: its distance from the locus at its temperature, in units of `white(kelvin:tint:)`.
    public static func tint(of white: Chromaticity) -> Double {
        guard let place = LocusPlace(kelvin(of: white)) else { return 0 }
        let (u, v) = uv(white)
        return ((v - place.v) * place.du - (u - place.u) * place.dv) / place.length * 3000
    }

    /// A point on the locus, and the direction along it. u falls along the locus, so that the normal towards smaller v
    /// is the magenta side.
    private struct LocusPlace {
        let u: Double
        let v: Double
        let du: Double
        let dv: Double
        let length: Double

        init?(_ kelvin: Double) {
            (u, v) = uv(locus(kelvin))
            let next = uv(locus(kelvin * 1.01))
            (du, dv) = (next.u - u, next.v - v)
            length = (du * du + dv * dv).squareRoot()
            guard length > 0 else { return nil }
        }
    }

    private static func clamp(_ kelvin: Double) -> Double {
        min(max(kelvin, PlanckianLocus.kelvins.lowerBound), PlanckianLocus.kelvins.upperBound)
    }

    private static func locus(_ kelvin: Double) -> Chromaticity {
        let r = 1000 / kelvin
        if kelvin >= 4000 { return DaylightLocus.chromaticity(reciprocalKilokelvin: r) }
        let (x, y) = PlanckianLocus.chromaticity(reciprocalKilokelvin: r)
        return Chromaticity(x: x, y: y)
    }

    /// Conversion to the CIE 1960 uniform chromaticity scale.
    private static func uv(_ c: Chromaticity) -> (u: Double, v: Double) {
        let d = -2 * c.x + 12 * c.y + 3
        return (4 * c.x / d, 6 * c.y / d)
    }

    private static func xy(u: Double, v: Double) -> Chromaticity {
        let d = 2 * u - 8 * v + 4
        return Chromaticity(x: 3 * u / d, y: 2 * v / d)
    }
}
