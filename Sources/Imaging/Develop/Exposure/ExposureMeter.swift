import ColourScience

struct ExposureMeter {
    /// From the survey's camera colour to linear sRGB.
    let toSRGB: Matrix3x3

    /// Factor from 1 to `maxLift`, the larger of two: one brings the brightest hundredth of the picture to `highlight`,
    /// the other brings middle tones half-way, in stops, to `middle`. The second need not spare highlights, because the
    /// tone curve keeps unsaturated samples below white. `gain` is from camera colour to scene light.
    func lift(_ survey: SensorSurvey, gain: Double) -> Double {
        let row = toSRGB.elements.map(Float.init)
        let luminances = survey.colours.map { colour in
            let r = row[0] * colour.x + row[1] * colour.y + row[2] * colour.z
            let g = row[3] * colour.x + row[4] * colour.y + row[5] * colour.z
            let b = row[6] * colour.x + row[7] * colour.y + row[8] * colour.z
            return 0.2126 * r + 0.7152 * g + 0.0722 * b
        }.sorted()
        let bright = Double(luminances[luminances.count * 99 / 100]) * gain
        guard bright > 0 else { return 1 }
        // Ignores black surrounds and blown skies.
        let tones = luminances[luminances.count / 4..<max(luminances.count * 9 / 10, luminances.count / 4 + 1)]
        let stops = tones.map { DeterministicMath.log2(max(Double($0) * gain, Self.darkest)) }
        let short = DeterministicMath.log2(Self.middle) - stops.reduce(0, +) / Double(stops.count)
        let lift = max(
            Self.highlight / bright, min(DeterministicMath.exp2(short / 2), Self.maxMiddleLift))
        return min(max(lift, 1), Self.maxLift)
    }

    private static let highlight = 0.7
    /// 1.5 stops.
    private static let maxLift = 2.83
    /// Mean of the middle tones of a picture that is bright enough, in stops.
    private static let middle = 0.15
    /// One stop, so that night scenes stay dark.
    private static let maxMiddleLift = 2.0
    /// Light that counts as black: eight stops below mid grey.
    private static let darkest = 0.18 / 256
}
