import ColourScience
import DevelopKernels
import PictureFormat
import PixelKernels
import Pixels

/// Looks with steps that are more than a table of colours.
extension RenderingPlan {
    /// The look's steps; nil if the look is a table or a single step that is not one.
    var steps: EffectSteps? { look.position == .display && look.colourKey == nil ? look.steps : nil }

    private var display: ColourSpace { look.displaySpace ?? output }

    /// The table from scene light to display-encoded values, and the remaining steps. At full strength, the table
    /// includes the colour steps before the first other step.
    private func start(
        _ steps: EffectSteps, _ depth: PictureDepth
    ) -> (table: TetrahedralInterpolator, rest: [EffectSteps.Step]) {
        let profile = profiled(display)
        if steps.share == 1, case .colours(let first)? = steps.steps.first,
            let table = tables.table(LookStart(look.film, first), display, profile, depth)
        {
            return (table, Array(steps.steps.dropFirst()))
        }
        return (tables.display(display, depth, film: look.film, profile: profile), steps.steps)
    }

    /// Renders to the output by steps that do not use neighbours.
    func rendering(_ steps: EffectSteps, _ depth: PictureDepth, threads: Int) -> Rendering {
        switch depth {
        case .eight: shaded(steps, threads: threads) ?? stepped(steps, depth)
        case .sixteen: stepped(steps, depth)
        }
    }

    /// Renders to 8 bits by a table of colours and a final shade; nil for other steps, or if the shade brightens.
    /// Display P3 is encoded like sRGB, so the shade multiplies the same values.
    private func shaded(_ steps: EffectSteps, threads: Int) -> Rendering? {
        guard steps.share == 1, case .shade(let shade)? = steps.steps.last, shade.intensity >= 0,
            output == display || output == .displayP3 && display == .sRGB
        else { return nil }
        var start = LookStart(look.film)
        switch steps.steps.count {
        case 1: break
        case 2:
            guard case .colours(let colours) = steps.steps[0] else { return nil }
            start = LookStart(look.film, colours)
        default: return nil
        }
        let look: any RowStage = look.film == nil && steps.steps.count == 1 ? IdentityStage() : start
        let tone = tables.lookup(output, white: white, contrast: contrast)
        let lut = tables.rendering(
            look, output: output, tone: tone, profile: profiled(output), threads: threads)
        return lut.map {
            Rendering(look: IdentityStage(), tone: tone, display: nil, conversion: nil, lut: $0, shade: shade)
        }
    }

    private func stepped(_ steps: EffectSteps, _ depth: PictureDepth) -> Rendering {
        let (table, rest) = start(steps, depth)
        let operations = rest.compactMap { step -> ColourOperation? in
            switch step {
            case .colours(let stage): tables.operation(stage, depth)
            case .shade(let shade): .shade(shade)
            case .neighbours: nil
            }
        }
        return Rendering(
            look: SteppedEffect(operations, share: steps.share), tone: tone(display, depth), display: table,
            conversion: conversion(depth), lut: nil)
    }

    /// The look's effect on the whole picture; nil if the look does not use neighbours. `transform` is the full-size
    /// picture's; `scale` is sensor columns and rows per pixel of a picture with square pixels.
    func pictureEffect(
        _ transform: OrientationTransform, scale: (x: Double, y: Double), _ depth: PictureDepth
    ) -> PictureEffect? {
        guard let steps, !steps.neighbourhoods.isEmpty else { return nil }
        let (table, rest) = start(steps, depth)
        let made = rest.compactMap { step -> PictureEffect.Step? in
            switch step {
            case .colours(let stage): return .colours(tables.operation(stage, depth))
            case .shade(let shade): return .colours(.shade(shade))
            case .neighbours(.edges(let intensity), let share):
                return .edges(Edges(intensity: Float(intensity)), share: share)
            case .neighbours(.motionBlur(let radius, let angle), let share):
                let direction = transform.sensorDirection(x: radius * Self.cosine(angle), y: -radius * Self.sine(angle))
                let blur = LineBlur(x: direction.x * scale.x, y: direction.y * scale.y)
                return blur.map { .blur($0, share: share) }
            }
        }
        return PictureEffect(
            rendering: Rendering(
                look: IdentityStage(), tone: tone(display, depth), display: table, conversion: nil, lut: nil),
            steps: made, share: steps.share, decode: tables.decoding(display, .sixteen),
            encode: tables.encoding(display, .sixteen))
    }

    /// Renders a picture after its effect to the output; its light is display light.
    func finished(_ depth: PictureDepth) -> Rendering {
        Rendering(
            look: IdentityStage(), tone: tables.encoding(display, depth), display: nil, conversion: conversion(depth),
            lut: nil)
    }

    private func conversion(_ depth: PictureDepth) -> ColourSpaceConversion? {
        display == output ? nil : tables.conversion(from: display, to: output, depth)
    }

    /// A power series, which has the same bits on every system.
    private static func cosine(_ angle: Double) -> Double {
        var (term, sum) = (1.0, 1.0)
        for n in stride(from: 2.0, through: 40, by: 2) {
            term *= -angle * angle / (n * (n - 1))
            sum += term
        }
        return sum
    }

    private static func sine(_ angle: Double) -> Double {
        var (term, sum) = (angle, angle)
        for n in stride(from: 3.0, through: 41, by: 2) {
            term *= -angle * angle / (n * (n - 1))
            sum += term
        }
        return sum
    }
}
