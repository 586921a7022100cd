import ColourScience

/// Logarithmic encodings of scene light by cameras and grading programs, with a straight toe and their own primaries.
///
/// Sources: ARRI, 2012, "ALEXA Log C Curve: Usage in VFX" (EI 800); S. Brunn and others (ARRI), 2022, "ARRI LogC4
/// Logarithmic Color Space Specification"; Sony, 2014, "Technical Summary for S-Gamut3.Cine/S-Log3 and
/// S-Gamut3/S-Log3"; Panasonic, 2014, "V-Log/V-Gamut Reference Manual"; Canon, 2020, "Canon Log 2/Canon Log 3 Input
/// Transforms" (version 1.2 of the curves); G. Kennel (Kodak), 1995, "Conversion of 10-bit Log Film Data to 8-bit
/// Linear or Video Data for the Cineon Digital Film System"; Academy, 2016, "S-2016-001, ACEScct" and 2014,
/// "S-2014-004, ACEScg"; Blackmagic Design, 2021, "DaVinci Wide Gamut Intermediate".
struct LogEncoding: Hashable, Sendable {
    typealias Vector = DeterministicMath.Vector

    let primaries: [Chromaticity]
    var white = Chromaticity.d65
    /// Light below this value is on the straight toe.
    let cut: Double
    /// Above the cut: scale · log₁₀(gain · x + offset) + base.
    let gain: Double
    let offset: Double
    let scale: Double
    let base: Double
    /// Below the cut: slope · x + foot.
    let slope: Double
    let foot: Double
    /// Below the toe the logarithm continues mirrored: base − scale · log₁₀(offset − gain · x). Nil if the toe has no
    /// lower end.
    var low: Low?

    struct Low: Hashable {
        let cut: Double
        let base: Double
    }

    private static let log2ToLog10 = 0.301029995663981195

    private static func xy(_ x: Double, _ y: Double) -> Chromaticity { Chromaticity(x: x, y: y) }

    static let logC3 = LogEncoding(
        primaries: [xy(0.6840, 0.3130), xy(0.2210, 0.8480), xy(0.0861, -0.1020)], cut: 0.010591, gain: 5.555556,
        offset: 0.052272, scale: 0.247190, base: 0.385537, slope: 5.367655, foot: 0.092809)

    static let logC4: LogEncoding = {
        let (a, b, c) = ((262_144.0 - 16) / 117.45, (1023.0 - 95) / 1023, 95.0 / 1023)
        let power = DeterministicMath.exp2(7 - 14 * c / b)
        let s = 7 * 0.693147180559945309 * power / (a * b)
        let t = (DeterministicMath.exp2(14 * (-c / b) + 6) - 64) / a
        return LogEncoding(
            primaries: [xy(0.7347, 0.2653), xy(0.1424, 0.8576), xy(0.0991, -0.0308)], cut: t, gain: a, offset: 64,
            scale: b / 14 / log2ToLog10, base: c - 6 * b / 14, slope: 1 / s, foot: -t / s)
    }()

    static let sLog3 = LogEncoding(
        primaries: [xy(0.766, 0.275), xy(0.225, 0.800), xy(0.089, -0.087)], cut: 0.01125, gain: 1 / 0.19,
        offset: 0.01 / 0.19, scale: 261.5 / 1023, base: 420.0 / 1023,
        slope: (171.2102946929 - 95) / 0.01125 / 1023, foot: 95.0 / 1023)

    static let vLog = LogEncoding(
        primaries: [xy(0.730, 0.280), xy(0.165, 0.840), xy(0.100, -0.030)], cut: 0.01, gain: 1, offset: 0.00873,
        scale: 0.241514, base: 0.598206, slope: 5.6, foot: 0.125)

    private static let cinemaGamut = [xy(0.740, 0.270), xy(0.170, 1.140), xy(0.080, -0.100)]

    // Canon's unit of light is a white of 90 %.
    static let canonLog2 = LogEncoding(
        primaries: cinemaGamut, cut: 0, gain: 87.09937546 / 0.9, offset: 1, scale: 0.24136077, base: 0.092864125,
        slope: 0, foot: 0, low: Low(cut: 0, base: 0.092864125))

    static let canonLog3 = LogEncoding(
        primaries: cinemaGamut, cut: 0.014 * 0.9, gain: 14.98325 / 0.9, offset: 1, scale: 0.36726845,
        base: 0.12240537, slope: 1.9754798 / 0.9, foot: 0.12512219, low: Low(cut: -0.014 * 0.9, base: 0.12783901))

    /// Printing density of a film scan. The primaries are the film's; by convention Rec. 709 stands for them.
    static let cineon: LogEncoding = {
        let black = DeterministicMath.pow(10, (95 - 685) / 300.0)
        let scale = 300.0 / 1023
        return LogEncoding(
            primaries: [xy(0.64, 0.33), xy(0.30, 0.60), xy(0.15, 0.06)], cut: 0, gain: 1 - black, offset: black,
            scale: scale, base: 685.0 / 1023, slope: scale * (1 - black) / black / 2.302585092994045684,
            foot: 95.0 / 1023)
    }()

    private static let ap1 = [xy(0.713, 0.293), xy(0.165, 0.830), xy(0.128, 0.044)]
    private static let acesWhite = xy(0.32168, 0.33767)

    static let acesCCT = LogEncoding(
        primaries: ap1, white: acesWhite, cut: 0.0078125, gain: 1, offset: 0, scale: 1 / 17.52 / log2ToLog10,
        base: 9.72 / 17.52, slope: 10.5402377416545, foot: 0.0729055341958355)

    /// A straight line throughout.
    static let acesCG = LogEncoding(
        primaries: ap1, white: acesWhite, cut: .infinity, gain: 1, offset: 0, scale: 1, base: 0, slope: 1, foot: 0)

    static let daVinciIntermediate = LogEncoding(
        primaries: [xy(0.8000, 0.3130), xy(0.1682, 0.9877), xy(0.0790, -0.1155)], cut: 0.00262409, gain: 1,
        offset: 0.0075, scale: 0.07329248 / log2ToLog10, base: 0.07329248 * 7, slope: 10.44426855, foot: 0)

    /// Code values of scene light, 0.18 for mid grey.
    func encode(_ light: Vector) -> Vector {
        let codes = log(light, base).replacing(with: light * slope + foot, where: light .< cut)
        guard let low else { return codes }
        return codes.replacing(with: 2 * low.base - log(-light, low.base), where: light .< low.cut)
    }

    private func log(_ light: Vector, _ base: Double) -> Vector {
        let above = pointwiseMax(light * gain + offset, Vector(repeating: 1e-9))
        return DeterministicMath.log2(above) * (Self.log2ToLog10 * scale) + base
    }

    /// From linear Rec. 2020 to its own primaries, adapted to its white.
    var fromRec2020: [Double] {
        let columns = primaries.map(\.xyz)
        let raw = Matrix3x3((0..<9).map { columns[$0 % 3][$0 / 3] })
        let gains = (raw.inverse ?? .identity) * white.xyz
        let toXYZ = raw * .diagonal(gains)
        let adapted = white == .d65 ? .identity : ChromaticAdaptation.bradford(from: .d65, to: white)
        return ((toXYZ.inverse ?? .identity) * adapted * RGBPrimaries.rec2020.toXYZ).elements
    }
}
