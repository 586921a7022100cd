import Digest
import PictureFormat
import Pixels

/// A look as a stage of developing: its film, and its effect on the finished colours. Below full strength both are
/// blended with the picture without them.
struct LookStage: RowStage {
    /// The effect at full strength.
    private(set) var effect: any RowStage
    let film: (any FilmStage)?
    /// 0…1.
    let strength: Float
    /// The look's digest, which identifies film and effect at full strength.
    let digest: SHA256Value

    /// - Parameter filmShare: weight of the film at full strength, 0…1.
    init(
        effect: any RowStage, film: (any FilmStage)?, filmShare: Float = 1, strength: Float, digest: SHA256Value
    ) {
        self.effect = effect
        let share = filmShare * strength
        self.film = film.map { share == 1 ? $0 : PartialFilm(film: $0, share: share) }
        self.strength = strength
        self.digest = digest
    }

    var position: StagePosition { effect.position }
    var displaySpace: ColourSpace? { effect.displaySpace }
    var colourKey: String? {
        let isColour = (effect as? any LookEffect)?.isOfColourAlone ?? (effect is IdentityStage)
        return isColour ? "\(digest) \(strength)" : nil
    }

    /// Adjacent colour steps are merged.
    var steps: EffectSteps? {
        guard let chain = effect as? EffectChain, !chain.isOfColourAlone else { return nil }
        var steps: [EffectSteps.Step] = []
        var colours: [any LookEffect] = []
        func finishColours() {
            if colours.isEmpty { return }
            steps.append(
                .colours(
                    ColourStep(effect: EffectChain(effects: colours), colourKey: "\(digest) step \(steps.count)")))
            colours = []
        }
        for effect in chain.effects {
            if effect.isOfColourAlone {
                colours.append(effect)
                continue
            }
            finishColours()
            if let (neighbourhood, share) = effect.neighbourhood {
                steps.append(.neighbours(neighbourhood, share: share))
            } else if let shade = effect.shade {
                steps.append(.shade(shade))
            }
        }
        finishColours()
        return EffectSteps(steps: steps, share: strength)
    }

    func placed(in picture: PixelSize) -> any RowStage {
        guard let effect = effect as? any LookEffect, !effect.isOfColourAlone else { return self }
        var placed = self
        placed.effect = effect.located(in: picture)
        return placed
    }

    func process(_ row: PixelRow) {
        if effect is IdentityStage { return }
        row.mix(strength) { effect.process($0) }
    }
}

/// Colour steps before, between or after the steps that use more than a pixel's colour.
private struct ColourStep: RowStage {
    let effect: EffectChain
    let colourKey: String?

    let position = StagePosition.display
    var displaySpace: ColourSpace? { effect.displaySpace }

    func process(_ row: PixelRow) { effect.process(row) }
}

private struct PartialFilm: FilmStage {
    let film: any FilmStage
    let share: Float

    var key: String { "\(film.key) \(share)" }
    var texture: FilmTexture? { film.texture?.scaled(by: Double(share)) }

    func render(_ row: PixelRow) { film.render(row) }
}

/// An effect on the finished colours. It depends on a pixel's colour alone, or is a shade, or uses neighbours.
protocol LookEffect: RowStage {
    /// Whether the result depends only on the pixel's colour.
    var isOfColourAlone: Bool { get }

    /// The effect as a shade; nil for all other effects.
    var shade: Shade? { get }

    /// Operation on neighbours, and its weight; nil for effects without neighbours. If present, `process` does nothing.
    var neighbourhood: (Neighbourhood, share: Float)? { get }

    /// The effect for pictures of one size, before rotation.
    func located(in picture: PixelSize) -> any LookEffect
}

extension LookEffect {
    var isOfColourAlone: Bool { true }
    var shade: Shade? { nil }
    var neighbourhood: (Neighbourhood, share: Float)? { nil }
    func located(in picture: PixelSize) -> any LookEffect { self }
}

struct EffectChain: LookEffect {
    /// Effects on display-encoded values.
    let effects: [any LookEffect]

    let position = StagePosition.display
    let displaySpace: ColourSpace? = .sRGB

    var isOfColourAlone: Bool { effects.allSatisfy(\.isOfColourAlone) }

    func located(in picture: PixelSize) -> any LookEffect {
        EffectChain(effects: effects.map { $0.located(in: picture) })
    }

    func process(_ row: PixelRow) {
        for effect in effects {
            effect.process(row)
            // Each effect receives displayable values.
            row.clip()
        }
    }
}
