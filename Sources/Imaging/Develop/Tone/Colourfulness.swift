import ColourScience

/// Distance of colours from grey, in steps of a twentieth. Moves light away from or towards the grey of its luminance
/// before the tone curve.
struct Colourfulness: Hashable, Comparable {
    /// 0 leaves the light as the camera's matrix gives it.
    let steps: Int

    /// As most cameras' own pictures.
    static let usual = Colourfulness(steps: -1)
    /// From muted to vivid.
    static let range = Colourfulness(steps: -3)...Colourfulness(steps: 8)

    private var factor: Double { 1 + Double(steps) / 20 }

    /// In Rec. 2020. Preserves grey.
    var matrix: Matrix3x3 {
        let toXYZ = RGBPrimaries.rec2020.toXYZ.elements
        return Matrix3x3((0..<9).map { toXYZ[3 + $0 % 3] * (1 - factor) + ($0 % 4 == 0 ? factor : 0) })
    }

    static func < (a: Colourfulness, b: Colourfulness) -> Bool { a.steps < b.steps }
}
