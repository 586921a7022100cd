import ColourScience
import Pixels

/// The gain from balanced camera colour to scene light.
struct Exposure {
    /// The whole gain.
    let gain: Double
    /// Scene light of a sample that is saturated in all channels: what becomes display white.
    let white: Double

    /// With the picture the brightness was to match.
    let agreement: Agreement?

    /// - Parameters:
    ///   - colour: what the picture is developed by.
    ///   - asShot: what the camera balanced it by.
    ///   - saturation: share of the white level at which each channel saturates.
    ///   - survey: asked only where the brightness depends on the picture; in the balance of the given colour.
    init(
        facts: SensorFacts, settings: DevelopSettings, colour: CameraColour, asShot: CameraColour,
        saturation: [Float], tables: DevelopTables, survey: (CameraColour) -> SensorSurvey
    ) {
        let fixed = Self.base * DeterministicMath.exp2(Double(facts.baselineExposure))
        let match = Self.match(facts, settings, asShot, saturation, fixed, tables, survey)
        agreement = match?.agreement
        let found: Double
        if let match, !match.agreement.isWild {
            found = fixed * match.factor
        } else if settings.brightness == .asExposed {
            found = fixed
        } else {
            let meter = Meter(toSRGB: RGBPrimaries.rec709.fromXYZ * colour.toXYZ)
            found = fixed * meter.lift(survey(colour), gain: fixed)
        }
        gain = found * DeterministicMath.exp2(Double(settings.exposure))
        white = gain * Self.clip(colour, saturation)
    }

    /// Balanced value of what is saturated in all channels.
    private static func clip(_ colour: CameraColour, _ saturation: [Float]) -> Double {
        Double(zip(colour.multipliers, saturation).map { $0 * $1 }.max() ?? 1)
    }

    /// The camera's picture is compared with the camera's balance, whatever the settings are.
    private static func match(
        _ facts: SensorFacts, _ settings: DevelopSettings, _ asShot: CameraColour, _ saturation: [Float],
        _ gain: Double, _ tables: DevelopTables, _ survey: (CameraColour) -> SensorSurvey
    ) -> ReferenceMatch? {
        guard case .matching(let picture) = settings.brightness else { return nil }
        return ReferenceMatch(
            picture, facts: facts, survey: survey(asShot), toSRGB: RGBPrimaries.rec709.fromXYZ * asShot.toXYZ,
            gain: gain, clip: Self.clip(asShot, saturation), tables: tables)
    }

    /// A camera that puts mid grey at an eighth of saturation or a little more (ISO 12232:2019 leaves it some choice).
    private static let base = 1.1
}

/// Judges a survey's brightness.
struct Meter {
    let toSRGB: Matrix3x3

    /// Highlights that leave room are brought up: the factor, 1 to `mostLift`, by which the brightest hundredth
    /// reaches `highlight`.
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
        return min(max(Self.highlight / bright, 1), Self.mostLift)
    }

    private static let highlight = 0.7
    private static let mostLift = 2.83
}
