import ColourScience

/// How cameras of the cinema write scene light: a logarithm with a straight toe, in primaries of their own. All of them have
/// D65 for their white.
///
/// Sources: ARRI, 2012, "ALEXA Log C Curve: Usage in VFX" (EI 800); Sony, 2014, "Technical Summary for S-Gamut3.Cine/S-Log3
/// and S-Gamut3/S-Log3"; Panasonic, 2014, "V-Log/V-Gamut Reference Manual".
struct LogEncoding: Hashable, Sendable {
    typealias Vector = DeterministicMath.Vector

    /// Of red, green and blue.
    let primaries: [Chromaticity]
    /// Light below is on the straight toe.
    let cut: Double
    /// Above: scale · log₁₀(gain · x + offset) + base.
    let gain: Double
    let offset: Double
    let scale: Double
    let base: Double
    /// Below: slope · x + foot.
    let slope: Double
    let foot: Double

    private static let log2ToLog10 = 0.301029995663981195

    static let logC3 = LogEncoding(
        primaries: [
            Chromaticity(x: 0.6840, y: 0.3130), Chromaticity(x: 0.2210, y: 0.8480), Chromaticity(x: 0.0861, y: -0.1020),
        ],
        cut: 0.010591, gain: 5.555556, offset: 0.052272, scale: 0.247190, base: 0.385537, slope: 5.367655,
        foot: 0.092809)

    static let sLog3 = LogEncoding(
        primaries: [
            Chromaticity(x: 0.766, y: 0.275), Chromaticity(x: 0.225, y: 0.800), Chromaticity(x: 0.089, y: -0.087),
        ],
        cut: 0.01125, gain: 1 / 0.19, offset: 0.01 / 0.19, scale: 261.5 / 1023, base: 420.0 / 1023,
        slope: (171.2102946929 - 95) / 0.01125 / 1023, foot: 95.0 / 1023)

    static let vLog = LogEncoding(
        primaries: [
            Chromaticity(x: 0.730, y: 0.280), Chromaticity(x: 0.165, y: 0.840), Chromaticity(x: 0.100, y: -0.030),
        ],
        cut: 0.01, gain: 1, offset: 0.00873, scale: 0.241514, base: 0.598206, slope: 5.6, foot: 0.125)

    /// Code values of scene light, 0.18 for mid grey.
    func encode(_ light: Vector) -> Vector {
        let above = pointwiseMax(light * gain + offset, Vector(repeating: 1e-9))
        let curve = DeterministicMath.log2(above) * (Self.log2ToLog10 * scale) + base
        return curve.replacing(with: light * slope + foot, where: light .< cut)
    }

    /// From light in Rec. 2020 to light in its own primaries.
    var fromRec2020: [Double] {
        let columns = primaries.map(\.xyz)
        let raw = Matrix3x3((0..<9).map { columns[$0 % 3][$0 / 3] })
        let gains = (raw.inverse ?? .identity) * Chromaticity.d65.xyz
        let toXYZ = raw * .diagonal(gains)
        return ((toXYZ.inverse ?? .identity) * RGBPrimaries.rec2020.toXYZ).elements
    }
}
