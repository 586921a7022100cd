import ColourScience
import DevelopKernels
import PictureFormat
import Pixels

/// Decides in which spaces the tone curve and the look work, and makes the tables for them. The scene's light is in
/// Rec. 2020 always, and so is the tone curve.
struct RenderingPlan {
    let look: any RowStage
    let output: ColourSpace
    /// Scene light that becomes display white.
    let white: Double
    /// Of the tone curve.
    let contrast: Contrast
    /// Moves the scene's light before the tone curve; nil for none.
    let profile: ProfileMapping?
    let tables: DevelopTableCache

    /// Makes the tables of a look before they are needed.
    static func prepare(_ look: any RowStage, output: ColourSpace, tables: DevelopTableCache) {
        _ = tables.display(output)
        if tables.lut(look, output, nil, 1) != nil { return }
        let plan = RenderingPlan(
            look: look, output: output, white: 1, contrast: .usual, profile: nil, tables: tables)
        if let steps = plan.steps { _ = plan.shaded(steps, threads: 1) ?? plan.stepped(steps, isFine: false) }
    }

    /// To 8 bits.
    ///
    /// - Parameter threads: how many share the work of making a table that is not in the cache.
    func rendering(threads: Int) -> Rendering {
        if let steps { return shaded(steps, threads: threads) ?? stepped(steps, isFine: false) }
        let display = look.displaySpace ?? output
        func tone(_ space: ColourSpace) -> LightLUT { tables.tone(space, white: white, contrast: contrast) }
        let lut = tables.rendering(
            look, output: output, tone: tone(output), profile: profiled(output), threads: threads)
        return Rendering(
            look: look, tone: tone(display),
            display: lut == nil
                ? tables.display(display, look.film, profiled(display)) : tables.display(display),
            conversion: display == output ? nil : tables.conversion(from: display, to: output), lut: lut)
    }

    /// To 16 bits: the same way with curves and tables that are finer. A look that is a table for 8 bits is one here too.
    func rendering16() -> Rendering {
        if let steps { return stepped(steps, isFine: true) }
        let fine = tables.fine
        func tone(_ space: ColourSpace) -> LightCurve { fine.tone(space, white: white, contrast: contrast) }
        if let table = fine.table(look, output: output, profiled(output)) {
            return Rendering(
                look: IdentityStage(), tone: tone(output), display: table, conversion: nil, lut: nil)
        }
        let display = look.displaySpace ?? output
        return Rendering(
            look: look, tone: tone(display), display: fine.display(display, look.film, profiled(display)),
            conversion: display == output ? nil : fine.conversion(from: display, to: output), lut: nil)
    }

    func profiled(_ space: ColourSpace) -> ProfiledTone? {
        profile.map {
            ProfiledTone(mapping: $0, tone: ToneTableKey(space, white: white, contrast: contrast))
        }
    }
}
