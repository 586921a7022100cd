import ColourScience
import Pixels

/// The gain from balanced camera colour to scene light, and the contrast and colourfulness after it.
struct Exposure {
    let gain: Double
    /// Scene light of a sample that is saturated in all channels; becomes display white.
    let white: Double
    let contrast: Contrast
    let colourfulness: Colourfulness
    /// Agreement with the preview whose brightness was to be matched; nil for none.
    let agreement: PreviewAgreement?

    /// `asShot` belongs to the camera's own balance; `saturation` is the share of the white level at which each channel
    /// saturates. Calls `survey`, which makes a survey in a given balance, only if the brightness depends on the
    /// picture.
    init(
        facts: SensorFacts, settings: DevelopSettings, colour: CameraColour, asShot: CameraColour,
        saturation: [Float], tables: DevelopTableCache, survey: (CameraColour) -> SensorSurvey
    ) {
        let fixed = Self.fixed(facts)
        let match = Self.match(facts, settings, asShot, saturation, tables, survey)
        agreement = match?.agreement
        let plausible = match.flatMap { $0.agreement.isImplausible ? nil : $0 }
        contrast = plausible?.contrast ?? .usual
        colourfulness = plausible?.colourfulness ?? .usual
        let found: Double
        if let plausible {
            found = fixed * plausible.factor
        } else if settings.brightness == .asExposed {
            found = fixed
        } else {
            let meter = ExposureMeter(toSRGB: RGBPrimaries.rec709.fromXYZ * colour.toXYZ)
            found = fixed * meter.lift(survey(colour), gain: fixed)
        }
        gain = found * DeterministicMath.exp2(Double(settings.exposure))
        white = gain * Self.clip(colour, saturation)
    }

    private static func clip(_ colour: CameraColour, _ saturation: [Float]) -> Double {
        Double(zip(colour.multipliers, saturation).map { $0 * $1 }.max() ?? 1)
    }

    /// Compares the preview with the camera's own balance, independent of the settings.
    static func match(
        _ facts: SensorFacts, _ settings: DevelopSettings, _ asShot: CameraColour, _ saturation: [Float],
        _ tables: DevelopTableCache, _ survey: (CameraColour) -> SensorSurvey
    ) -> BrightnessMatch? {
        guard case .matching(let picture) = settings.brightness else { return nil }
        return BrightnessMatch(
            picture, facts: facts, survey: survey(asShot), colour: asShot, gain: fixed(facts),
            clip: Self.clip(asShot, saturation), tables: tables)
    }

    /// The gain for the exposure that the camera chose.
    private static func fixed(_ facts: SensorFacts) -> Double {
        base * DeterministicMath.exp2(Double(facts.baselineExposure))
    }

    /// Gain for a camera that exposes mid grey at an eighth of saturation or slightly more; ISO 12232:2019 leaves some
    /// choice.
    private static let base = 1.1
}
