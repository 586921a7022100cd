import ColourScience
import PictureFormat

struct ToneTableKey: Hashable {
    /// Whites are rounded to eighths of a stop, so that many photos share a table.
    private static let stepsPerStop = 8.0

    /// Space of the table's encoding.
    let space: ColourSpace
    private let step: Int
    private let contrast: Contrast

    /// Scene light `white` becomes display white; it is rounded down to an eighth of a stop.
    init(_ space: ColourSpace, white: Double, contrast: Contrast) {
        self.space = space
        step = Int((DeterministicMath.log2(min(max(white, 0.5), 16)) * Self.stepsPerStop).rounded(.down))
        self.contrast = contrast
    }

    var curve: ToneCurve {
        ToneCurve(white: DeterministicMath.exp2(Double(step) / Self.stepsPerStop), contrast: contrast)
    }
}
