import ColourScience
import DevelopKernels
import PictureFormat
import Pixels

/// Decides in which spaces the tone curve and the look work, and makes their tables. Scene light and the tone curve are
/// always in Rec. 2020.
struct RenderingPlan {
    let look: any RowStage
    let output: ColourSpace
    /// Scene light that becomes display white.
    let white: Double
    let contrast: Contrast
    /// Changes scene light before the tone curve; nil for none.
    let profile: ProfileMapping?
    let tables: DevelopTableCache

    /// Makes a look's 8-bit tables in advance.
    static func prepare(_ look: any RowStage, output: ColourSpace, tables: DevelopTableCache) {
        _ = tables.display(output, .eight)
        if tables.lut(look, output, nil, 1) != nil { return }
        let plan = RenderingPlan(
            look: look, output: output, white: 1, contrast: .usual, profile: nil, tables: tables)
        if let steps = plan.steps { _ = plan.rendering(steps, .eight, threads: 1) }
    }

    /// From scene light to the output. A look that is a table for 8 bits is one for 16 bits too.
    func rendering(_ depth: PictureDepth, threads: Int) -> Rendering {
        if let steps { return rendering(steps, depth, threads: threads) }
        if let whole = whole(depth, threads: threads) { return whole }
        let display = look.displaySpace ?? output
        return Rendering(
            look: look, tone: tone(display, depth),
            display: tables.display(display, depth, film: look.film, profile: profiled(display)),
            conversion: display == output ? nil : tables.conversion(from: display, to: output, depth), lut: nil)
    }

    /// The look and everything around it as one table; nil if the look needs the generic path.
    private func whole(_ depth: PictureDepth, threads: Int) -> Rendering? {
        switch depth {
        case .eight:
            let tone = tables.lookup(output, white: white, contrast: contrast)
            let lut = tables.rendering(look, output: output, tone: tone, profile: profiled(output), threads: threads)
            return lut.map {
                Rendering(look: IdentityStage(), tone: tone, display: nil, conversion: nil, lut: $0)
            }
        case .sixteen:
            return tables.table(look, output, profiled(output), depth).map {
                Rendering(look: IdentityStage(), tone: tone(output, depth), display: $0, conversion: nil, lut: nil)
            }
        }
    }

    /// The tone curve in the encoding of a display space.
    func tone(_ space: ColourSpace, _ depth: PictureDepth) -> any LightMapping {
        tables.tone(space, white: white, contrast: contrast, depth)
    }

    func profiled(_ space: ColourSpace) -> ProfiledTone? {
        profile.map {
            ProfiledTone(mapping: $0, tone: ToneTableKey(space, white: white, contrast: contrast))
        }
    }
}
