import ColourScience
import DevelopKernels
import PictureFormat
import Pixels

/// Decides in which spaces the tone curve and the look work, and makes the tables for them.
struct RenderingPlan {
    /// The primaries that the scene's light has to have.
    let sceneSpace: RGBPrimaries
    let rendering: Rendering

    /// - Parameters:
    ///   - white: scene light that becomes display white.
    ///   - contrast: of the tone curve.
    ///   - threads: how many share the work of making a table that is not in the cache.
    init(
        look: any RowStage, output: ColourSpace, white: Double, contrast: Contrast, tables: DevelopTableCache,
        threads: Int
    ) {
        let toneSpace = look.displaySpace ?? output
        let tone = tables.tone(toneSpace, white: white, contrast: contrast)
        let isOnDisplay = look.position == .display
        sceneSpace = isOnDisplay ? RGBPrimaries(toneSpace) : .rec2020
        let share = isOnDisplay && toneSpace == output ? look.lut : nil
        rendering = Rendering(
            look: look,
            toTonePrimaries: isOnDisplay
                ? nil : ColourMatrix(RGBPrimaries(toneSpace).fromXYZ * RGBPrimaries.rec2020.toXYZ),
            tone: tone, conversion: toneSpace == output ? nil : tables.conversion(from: toneSpace, to: output),
            lut: share.flatMap { tables.rendering($0, tone: tone, threads: threads) })
    }
}
