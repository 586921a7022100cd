import ColourScience

/// Computes the brightness correction of a survey.
struct ExposureMeter {
    /// From the survey's camera colour to linear sRGB.
    let toSRGB: Matrix3x3

    /// The factor, 1 to `maxLift`: what brings the brightest hundredth of the picture to `highlight`, or half-way, in
    /// stops, what brings its middle tones to `middle`, whichever is more. Highlights need not be spared for the
    /// second, since the tone curve keeps below white what the sensor could tell from it.
    ///
    /// - Parameter gain: from camera colour to scene light.
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
        // A black surround or a blown sky is not the subject.
        let tones = luminances[luminances.count / 4..<max(luminances.count * 9 / 10, luminances.count / 4 + 1)]
        let stops = tones.map { DeterministicMath.log2(max(Double($0) * gain, Self.darkest)) }
        let short = DeterministicMath.log2(Self.middle) - stops.reduce(0, +) / Double(stops.count)
        let lift = max(
            Self.highlight / bright, min(DeterministicMath.exp2(short / 2), Self.maxMiddleLift))
        return min(max(lift, 1), Self.maxLift)
    }

    private static let highlight = 0.7
    /// One and a half stops.
    private static let maxLift = 2.83
    /// The mean of middle tones, in stops, of a picture that is bright enough.
    private static let middle = 0.15
    /// One stop: a night stays a night.
    private static let maxMiddleLift = 2.0
    /// Light that counts as black, eight stops below mid grey.
    private static let darkest = 0.18 / 256
}
