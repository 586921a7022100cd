import ColourScience
import PictureFormat

/// What a table of the neutral tone curve is made for.
struct ToneTableKey: Hashable {
    /// Whites are rounded to eighths of a stop, so that one table serves many photos.
    private static let stepsPerStop = 8.0

    /// Whose encoding the table has.
    let space: ColourSpace
    private let step: Int
    private let contrast: Contrast

    /// - Parameters:
    ///   - space: whose encoding the table has.
    ///   - white: scene light that becomes display white, rounded down to an eighth of a stop.
    ///   - contrast: of the curve.
    init(_ space: ColourSpace, white: Double, contrast: Contrast) {
        self.space = space
        step = Int((DeterministicMath.log2(min(max(white, 0.5), 16)) * Self.stepsPerStop).rounded(.down))
        self.contrast = contrast
    }

    /// From scene light to display light.
    var curve: ToneCurve {
        ToneCurve(white: DeterministicMath.exp2(Double(step) / Self.stepsPerStop), contrast: contrast)
    }
}
