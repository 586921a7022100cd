import Digest
import PictureFormat
import Pixels

/// A look as it takes part in developing: its film, and its effect on the finished colours. In less than full strength, both are
/// mixed with the picture without them.
struct LookStage: RowStage {
    /// The effect in full strength.
    private(set) var effect: any RowStage
    let film: (any FilmStage)?
    /// 0…1.
    let strength: Float
    /// The look's digest, which stands for film and effect in full strength.
    let digest: SHA256Value

    /// - Parameter filmShare: how much of the film counts in full strength, 0…1.
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

extension PixelRow {
    /// Changes the row's values by a share of what an operation changes.
    ///
    /// - Parameter share: 1 for all of it.
    func mix(_ share: Float, _ process: (PixelRow) -> Void) {
        if share == 1 { return process(self) }
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * count) { before in
            guard let start = before.baseAddress else { return }
            let planes = unsafe [red, green, blue]
            for unsafe(i, plane) in unsafe planes.enumerated() {
                unsafe (start + i * count).initialize(from: plane, count: count)
            }
            process(self)
            for unsafe(i, plane) in unsafe planes.enumerated() {
                let old = unsafe start + i * count
                for x in 0..<count { unsafe plane[x] = unsafe old[x] + (plane[x] - old[x]) * share }
            }
        }
    }
}

/// Less than all of a film.
private struct PartialFilm: FilmStage {
    let film: any FilmStage
    let share: Float

    var key: String { "\(film.key) \(share)" }
    var texture: FilmTexture? { film.texture?.scaled(by: Double(share)) }

    func render(_ row: PixelRow) { film.render(row) }
}

/// An effect on the finished colours. A pixel's result depends on its colour, and on its place where `isOfColourAlone` is
/// false; never on its neighbours.
protocol LookEffect: RowStage {
    /// Whether it does the same everywhere.
    var isOfColourAlone: Bool { get }

    /// The effect for pictures of one size, before they are turned upright.
    func located(in picture: PixelSize) -> any LookEffect
}

extension LookEffect {
    var isOfColourAlone: Bool { true }
    func located(in picture: PixelSize) -> any LookEffect { self }
}

/// Effects one after the other.
struct EffectChain: LookEffect {
    /// All of them work on display-encoded values.
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
            // Each gets values that a display can show.
            unsafe Self.clip(row.red, row.count)
            unsafe Self.clip(row.green, row.count)
            unsafe Self.clip(row.blue, row.count)
        }
    }

    /// NaN becomes 0.
    private static func clip(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
        for x in 0..<count {
            let positive = unsafe values[x] > 0 ? values[x] : 0
            unsafe values[x] = positive < 1 ? positive : 1
        }
    }
}
