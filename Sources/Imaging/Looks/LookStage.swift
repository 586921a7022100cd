import Digest
import PictureFormat
import Pixels

/// A look as it takes part in developing: its effect, or in less than full strength the effect's result mixed with the
/// picture before it.
struct LookStage: RowStage {
    /// The full effect.
    let effect: any RowStage
    /// 0…1.
    let strength: Float
    /// The look's digest, which stands for the effect in full strength.
    let digest: SHA256Value

    var position: StagePosition { effect.position }
    var displaySpace: ColourSpace? { effect.displaySpace }
    var colourKey: String? { effect is any ColourEffect ? "\(digest) \(strength)" : nil }

    /// A rendering is mixed with the neutral one where its table is made.
    var share: Float { position == .rendering ? strength : 1 }
    var texture: FilmTexture? { effect.texture?.scaled(by: Double(strength)) }

    func process(_ row: PixelRow) {
        if strength == 1 || position == .rendering { return effect.process(row) }
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: 3 * row.count) { before in
            guard let start = before.baseAddress else { return }
            let planes = unsafe [row.red, row.green, row.blue]
            for unsafe(i, plane) in unsafe planes.enumerated() {
                unsafe (start + i * row.count).initialize(from: plane, count: row.count)
            }
            effect.process(row)
            for unsafe(i, plane) in unsafe planes.enumerated() {
                let old = unsafe start + i * row.count
                for x in 0..<row.count { unsafe plane[x] = unsafe old[x] + (plane[x] - old[x]) * strength }
            }
        }
    }
}

/// An effect that changes each pixel by its own colour alone, wherever it is and whatever its neighbours are.
protocol ColourEffect: RowStage {}
