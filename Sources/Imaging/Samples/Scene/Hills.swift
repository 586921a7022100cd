/// One ridge of hills, from side to side.
struct Hill: Sendable {
    /// Mean height of the ridge, from the picture's top.
    let level: Float
    /// How far the ridge rises and falls.
    let swing: Float
    let stretch: Float
    let phase: Float
    /// 0 for the farthest, 1 for the nearest.
    let nearness: Float

    static func range(_ random: inout SplitMix64) -> [Hill] {
        let count = 5
        return (0..<count).map { index in
            let nearness = Float(index) / Float(count - 1)
            return Hill(
                level: 0.36 + nearness * 0.26, swing: 0.30 - nearness * 0.16,
                stretch: random.float(in: 120..<260) * (1 + nearness), phase: random.float(in: 0..<1000),
                nearness: nearness)
        }
    }

    func height(at column: Float, texture: NoiseTile) -> Float {
        let coarse = texture.smooth(column * stretch + phase, phase)
        // Tree tops: fine and small, denser in the foreground.
        let fine = texture.smooth(column * 6000 + phase, 500 + phase)
        return level + (coarse - 0.5) * swing - fine * 0.012 * nearness
    }
}

extension ScenePainter {
    /// Fills the row below a ridge: woods lit from the sun's side, paler with distance.
    func paintHill(_ index: Int, _ y: Int, _ row: PaintedRow) {
        let hill = scene.hills[index]
        let height = Float(y) * unit
        guard height > hill.level - hill.swing else { return }
        let colour = scene.palette.far.mixed(with: scene.palette.near, hill.nearness)
        let haze = scene.palette.horizon
        let offset = index * 211
        unsafe ridges[index].withUnsafeBufferPointer { ridge in
            for x in 0..<row.count where unsafe height > ridge[x] {
                let here = scene.texture.at(x + offset, y + offset)
                let lit = here - scene.texture.at(x + offset + 2, y + offset - 2)
                let wood = 0.55 + here * 0.9 + lit * (1.5 + 3 * hill.nearness)
                let mist = unsafe 0.35 * (1 - hill.nearness) * smoothstep(0, 0.2, height - ridge[x])
                row.set(x, (colour * max(wood, 0.15)).mixed(with: haze, mist))
            }
        }
    }
}
