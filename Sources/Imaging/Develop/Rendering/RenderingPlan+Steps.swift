import ColourScience
import DevelopKernels
import PictureFormat
import PixelKernels
import Pixels

/// Looks in steps that are more than a table of colours.
extension RenderingPlan {
    /// The look's steps; nil for a look that is a table, or one step that is not.
    var steps: EffectSteps? { look.position == .display && look.colourKey == nil ? look.steps : nil }

    /// The space of the steps' values.
    private var display: ColourSpace { look.displaySpace ?? output }

    /// How the scene's light becomes display-encoded values, and the steps that are left: those of colours before the first other
    /// one are part of it where all of the look counts.
    private func start(_ steps: EffectSteps, isFine: Bool) -> (table: TetrahedralInterpolator, rest: [EffectSteps.Step])
    {
        let profile = profiled(display)
        if steps.share == 1, case .colours(let first)? = steps.steps.first {
            let start = LookStart(look.film, first)
            let table =
                isFine ? tables.fine.table(start, output: display, profile) : tables.table(start, display, profile)
            if let table { return (table, Array(steps.steps.dropFirst())) }
        }
        let table =
            isFine ? tables.fine.display(display, look.film, profile) : tables.display(display, look.film, profile)
        return (table, steps.steps)
    }

    private func operation(_ stage: any RowStage, isFine: Bool) -> ColourOperation {
        tables.operation(stage, size: isFine ? FineTableCache.size : RenderingTable.usualSize)
    }

    /// To the output with 8 bits, by a table of the colours and a shade at their end; nil where steps are others, or the shade makes
    /// lighter.
    ///
    /// Display P3 has the encoding of sRGB: what the shade multiplies is the same.
    func shaded(_ steps: EffectSteps, threads: Int) -> Rendering? {
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
        let tone = tables.tone(output, white: white, contrast: contrast)
        let lut = tables.rendering(
            look, output: output, tone: tone, profile: profiled(output), threads: threads)
        return lut.map {
            Rendering(look: IdentityStage(), tone: tone, display: nil, conversion: nil, lut: $0, shade: shade)
        }
    }

    /// To the output, by steps that do not look at neighbours.
    func stepped(_ steps: EffectSteps, isFine: Bool) -> Rendering {
        let (table, rest) = start(steps, isFine: isFine)
        let operations = rest.compactMap { step -> ColourOperation? in
            switch step {
            case .colours(let stage): operation(stage, isFine: isFine)
            case .shade(let shade): .shade(shade)
            case .neighbours: nil
            }
        }
        return Rendering(
            look: SteppedEffect(operations, share: steps.share), tone: tone(display, isFine: isFine), display: table,
            conversion: conversion(isFine: isFine), lut: nil)
    }

    /// The look on the whole picture; nil for one that does not look at neighbours.
    ///
    /// - Parameters:
    ///   - transform: of the picture in full size.
    ///   - scale: columns and rows of the sensor for a pixel of a picture whose pixels are square.
    func pictureEffect(_ transform: OrientationTransform, scale: (x: Double, y: Double), isFine: Bool) -> PictureEffect?
    {
        guard let steps, !steps.neighbourhoods.isEmpty else { return nil }
        let (table, rest) = start(steps, isFine: isFine)
        let made = rest.compactMap { step -> PictureEffect.Step? in
            switch step {
            case .colours(let stage): return .colours(operation(stage, isFine: isFine))
            case .shade(let shade): return .colours(.shade(shade))
            case .neighbours(.edges(let intensity), let share):
                return .edges(Edges(intensity: Float(intensity)), share: share)
            case .neighbours(.motionBlur(let radius, let angle), let share):
                let direction = transform.sensorDirection(x: radius * Self.cosine(angle), y: -radius * Self.sine(angle))
                let blur = LineBlur(x: direction.x * scale.x, y: direction.y * scale.y)
                return blur.map { .blur($0, share: share) }
            }
        }
        let fine = tables.fine
        return PictureEffect(
            rendering: Rendering(
                look: IdentityStage(), tone: tone(display, isFine: isFine), display: table, conversion: nil, lut: nil),
            steps: made, share: steps.share, decode: fine.decoding(display), encode: fine.encoding(display))
    }

    /// To the output, of a picture to which its effect was applied: its light is the display's.
    func finished(isFine: Bool) -> Rendering {
        Rendering(
            look: IdentityStage(),
            tone: isFine ? tables.fine.encoding(display) : tables.encoding(display) as any LightMapping, display: nil,
            conversion: conversion(isFine: isFine), lut: nil)
    }

    private func tone(_ space: ColourSpace, isFine: Bool) -> any LightMapping {
        isFine
            ? tables.fine.tone(space, white: white, contrast: contrast)
            : tables.tone(space, white: white, contrast: contrast)
    }

    private func conversion(isFine: Bool) -> ColourSpaceConversion? {
        if display == output { return nil }
        return isFine
            ? tables.fine.conversion(from: display, to: output) : tables.conversion(from: display, to: output)
    }

    /// By its series, which has the same bits everywhere.
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
