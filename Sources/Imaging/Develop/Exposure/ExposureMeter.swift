import ColourScience

/// Judges the brightness of a survey.
struct ExposureMeter {
    /// From the survey's camera colour to linear sRGB.
    let toSRGB: Matrix3x3

    /// The factor, 1 to `maxLift`, that brings the brightest hundredth of the picture to `highlight`.
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
        return min(max(Self.highlight / bright, 1), Self.maxLift)
    }

    private static let highlight = 0.7
    /// One and a half stops.
    private static let maxLift = 2.83
}
