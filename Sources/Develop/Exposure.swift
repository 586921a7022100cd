import Pixels

/// The gain from balanced camera colour to scene light.
struct Exposure {
    /// The whole gain.
    let gain: Double
    /// Scene light of a sample that is saturated in all channels: what becomes display white.
    let white: Double

    /// - Parameters:
    ///   - toSRGB: balanced camera colour to linear sRGB.
    ///   - survey: asked only where the brightness depends on the picture.
    init(
        facts: SensorFacts, settings: DevelopSettings, colour: CameraColour, tables: DevelopTables,
        survey: () -> SensorSurvey
    ) {
        let fixed = Self.base * DeterministicMath.exp2(Double(facts.baselineExposure))
        let meter = Meter(toSRGB: Primaries.rec709.fromXYZ * colour.toXYZ)
        let found: Double
        switch settings.brightness {
        case .asExposed: found = fixed
        case .metered: found = fixed * meter.lift(survey(), gain: fixed)
        case .matching(let luma): found = fixed * meter.match(survey(), gain: fixed, luma: luma, tables: tables)
        }
        gain = found * DeterministicMath.exp2(Double(settings.exposure))
        white = gain * Double(colour.multipliers.max() ?? 1)
    }

    /// A camera that puts mid grey at an eighth of saturation or a little more (ISO 12232:2019 leaves it some choice).
    private static let base = 1.1
}

/// Judges a survey's brightness.
struct Meter {
    let toSRGB: Matrix3D

    /// Highlights that leave room are brought up: the factor, 1 to `mostLift`, by which the brightest hundredth
    /// reaches `highlight`.
    func lift(_ survey: SensorSurvey, gain: Double) -> Double {
        let row = toSRGB.m.map(Float.init)
        let luminances = survey.colours.map { colour in
            let r = row[0] * colour.x + row[1] * colour.y + row[2] * colour.z
            let g = row[3] * colour.x + row[4] * colour.y + row[5] * colour.z
            let b = row[6] * colour.x + row[7] * colour.y + row[8] * colour.z
            return 0.2126 * r + 0.7152 * g + 0.0722 * b
        }.sorted()
        let bright = Double(luminances[luminances.count * 99 / 100]) * gain
        guard bright > 0 else { return 1 }
        return min(max(Self.highlight / bright, 1), Self.mostLift)
    }

    private static let highlight = 0.7
    private static let mostLift = 2.83

    /// The factor by which the rendering's mean luma comes to `luma`, within a stop and a half either way.
    func match(_ survey: SensorSurvey, gain: Double, luma: Float, tables: DevelopTables) -> Double {
        let curve = tables.tone(.sRGB, white: 2)
        var low = -1.5
        var high = 1.5
        for _ in 0..<10 {
            let middle = (low + high) / 2
            let factor = DeterministicMath.exp2(middle)
            if meanLuma(survey, gain: gain * factor, curve) < luma { low = middle } else { high = middle }
        }
        return DeterministicMath.exp2((low + high) / 2)
    }

    private func meanLuma(_ survey: SensorSurvey, gain: Double, _ curve: LightTable) -> Float {
        let m = toSRGB.m.map { Float($0 * gain) }
        var sum: Float = 0
        for colour in survey.colours {
            let r = curve.value(max(m[0] * colour.x + m[1] * colour.y + m[2] * colour.z, 0))
            let g = curve.value(max(m[3] * colour.x + m[4] * colour.y + m[5] * colour.z, 0))
            let b = curve.value(max(m[6] * colour.x + m[7] * colour.y + m[8] * colour.z, 0))
            sum += 0.299 * r + 0.587 * g + 0.114 * b
        }
        return sum / Float(survey.colours.count)
    }
}
