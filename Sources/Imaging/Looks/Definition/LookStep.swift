import Digest
import PictureFormat
import Pixels

/// One step of a look: a film or effect by name with its parameters, or a table.
struct LookStep: Sendable, Equatable {
    enum Material: Sendable, Equatable {
        /// One of Rawmill's own looks: `velvet@1`.
        case look(String)
        /// A Core Image effect, under Core Image's name.
        case effect(String)
        /// The bytes of a `.cube` file or a Hald picture, and its input colours.
        case table([UInt8], TableSpace)
    }

    /// Maximum numbers of a parameter.
    static let maxNumbers = 16

    let material: Material
    /// Parameters by name. Every step supports `strength`, 0…1.
    let parameters: [String: [Double]]

    private static let strength = "strength"
    /// Parameters of a film: the range of each number, and its default.
    static let filmParameters: [(name: String, range: ClosedRange<Double>)] = [
        ("push", -2...3), ("grain", 0...4), ("halation", 0...4),
    ]

    private func share() throws(LookError) -> Float {
        let share = parameters[Self.strength] ?? [1]
        guard share.count == 1, (0...1).contains(share[0]) else {
            throw LookError("a step's strength is from 0 to 1", parameter: Self.strength)
        }
        return Float(share[0])
    }

    private var others: [String: [Double]] { parameters.filter { $0.key != Self.strength } }

    enum Made {
        case film(any FilmStage, share: Float)
        case effect(any LookEffect)
    }

    /// - Throws: `LookError` for an unknown name, and for unknown parameters.
    func made() throws(LookError) -> Made {
        let share = try share()
        switch material {
        case .effect(let name):
            guard let effect = CoreImageEffect.named(name) else { throw LookError("there is no effect \(name)") }
            return .effect(PartialEffect.of(try effect.effect(others), share))
        case .table(let bytes, let space):
            try refuseOthers("a table")
            let table = try LookupTable(bytes)
            if let film = TableFilm(table, space, digest: SHA256Value(of: bytes)) { return .film(film, share: share) }
            return .effect(PartialEffect.of(TableEffect.of(table, space), share))
        case .look(let name):
            let look: Look
            do throws(UnknownLook) { look = try LookCatalogue.builtIn.look(name) } catch {
                throw LookError(error.description)
            }
            if let film = look.film as? FilmRendering {
                return .film(FilmRendering(try adjusted(film.film)), share: share)
            }
            try refuseOthers(look.identifier)
            guard let effect = look.effect as? any LookEffect else { return .effect(EffectChain(effects: [])) }
            return .effect(PartialEffect.of(effect, share))
        }
    }

    private func refuseOthers(_ step: String) throws(LookError) {
        if let first = others.keys.min() {
            throw LookError("\(step) has no parameter \(first), only strength", parameter: first)
        }
    }

    private func adjusted(_ film: Film) throws(LookError) -> Film {
        var film = film
        for (key, numbers) in others.sorted(by: { $0.key < $1.key }) {
            guard let known = Self.filmParameters.first(where: { $0.name == key }), numbers.count == 1 else {
                throw LookError(
                    "a film has no parameter \(key); it has push, grain, halation and strength", parameter: key)
            }
            guard known.range.contains(numbers[0]) else {
                let low = CoreImageEffect.Parameter.text(known.range.lowerBound)
                let high = CoreImageEffect.Parameter.text(known.range.upperBound)
                throw LookError("a film's \(key) is from \(low) to \(high)", parameter: key)
            }
            switch key {
            case "push": film = film.pushed(by: numbers[0])
            case "grain": film.grain?.granularity *= numbers[0]
            default: film.halation?.shares *= numbers[0]
            }
        }
        return film
    }
}

private struct PartialEffect: LookEffect {
    let effect: any LookEffect
    let share: Float

    var position: StagePosition { effect.position }
    var displaySpace: ColourSpace? { effect.displaySpace }
    var isOfColourAlone: Bool { effect.isOfColourAlone }
    var shade: Shade? { effect.shade?.scaled(by: share) }
    var neighbourhood: (Neighbourhood, share: Float)? { effect.neighbourhood.map { ($0.0, $0.share * share) } }

    func located(in picture: PixelSize) -> any LookEffect {
        PartialEffect(effect: effect.located(in: picture), share: share)
    }

    static func of(_ effect: any LookEffect, _ share: Float) -> any LookEffect {
        share == 1 ? effect : PartialEffect(effect: effect, share: share)
    }

    func process(_ row: PixelRow) { row.mix(share) { effect.process($0) } }
}
