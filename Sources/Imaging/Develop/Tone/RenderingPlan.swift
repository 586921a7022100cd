import ColourScience
import DevelopKernels
import PictureFormat
import Pixels

/// Decides in which spaces the tone curve and the look work, and makes the tables for them. The scene's light is in
/// Rec. 2020 always, and so is the tone curve.
struct RenderingPlan {
    let rendering: Rendering

    /// - Parameters:
    ///   - white: scene light that becomes display white.
    ///   - contrast: of the tone curve.
    ///   - threads: how many share the work of making a table that is not in the cache.
    init(
        look: any RowStage, output: ColourSpace, white: Double, contrast: Contrast, tables: DevelopTableCache,
        threads: Int
    ) {
        let display = look.displaySpace ?? output
        func tone(_ space: ColourSpace) -> LightLUT { tables.tone(space, white: white, contrast: contrast) }
        rendering = Rendering(
            look: look, tone: tone(display), display: tables.display(display),
            conversion: display == output ? nil : tables.conversion(from: display, to: output),
            lut: tables.rendering(look, output: output, tone: tone(output), threads: threads))
    }
}
