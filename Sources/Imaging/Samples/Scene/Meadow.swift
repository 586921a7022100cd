extension ScenePainter {
    /// Grass with blades as fine as the pixels, flowers, and a fence of thin wires.
    func paintMeadow(_ y: Int, _ row: PaintedRow) {
        let top: Float = 0.74
        let height = Float(y) * unit
        guard height > top - 0.03 else { return }
        let depth = (height - top) / (1 - top)
        for x in 0..<row.count {
            let edge = top + (scene.texture.at(x / 4, 77) - 0.5) * 0.05
            guard height > edge else { continue }
            row.set(x, grass(x, y, depth: max(depth, 0)))
        }
        paintFence(y, row)
    }

    private func grass(_ x: Int, _ y: Int, depth: Float) -> LinearColour {
        let texture = scene.texture
        // Blades are upright, so the texture is stretched along the column.
        let blade = texture.at(x * 3, y / 3) - texture.at(x * 3 + 5, y / 3 + 2)
        let patch = texture.smooth(Float(x) * unit * 300, Float(y) * unit * 500)
        let green = scene.palette.meadow * max(0.6 + patch * 0.8 + blade * 3.2, 0.08)
        let cell = flowerCell(x, y, depth: depth)
        guard let flower = cell else { return green }
        return flower
    }

    /// Flowers grow in cells that widen towards the front, band by band; one cell in eleven has one.
    private func flowerCell(_ x: Int, _ y: Int, depth: Float) -> LinearColour? {
        let band = (depth * 6).rounded(.down) / 6
        let edge = max(3, Int((0.004 + band * 0.010) / unit))
        let column = x / edge
        let line = y / edge
        let dice = mixed(scene.seed ^ UInt64(truncatingIfNeeded: column &* 73_856_093 ^ line &* 19_349_663))
        guard dice % 11 == 0 else { return nil }
        let across = Float(x % edge) - Float(edge) / 2
        let down = Float(y % edge) - Float(edge) / 2
        guard across * across + down * down < Float(edge * edge) * 0.09 else { return nil }
        return Self.flowers[Int(dice >> 8) % Self.flowers.count]
    }

    private static let flowers = [
        LinearColour(0.72, 0.06, 0.05), LinearColour(0.85, 0.62, 0.05), LinearColour(0.80, 0.80, 0.78),
        LinearColour(0.22, 0.12, 0.62), LinearColour(0.75, 0.28, 0.45),
    ]

    private func paintFence(_ y: Int, _ row: PaintedRow) {
        let height = Float(y) * unit
        let isWire = [0.790, 0.815, 0.840].contains { abs(height - Float($0)) < max(unit, 0.0008) * 0.6 }
        let isPost = height > 0.775 && height < 0.870
        guard isWire || isPost else { return }
        let spacing = max(8, Int(0.11 / unit))
        let thickness = max(1, Int(0.004 / unit))
        let wood = LinearColour(0.16, 0.12, 0.09)
        let wire = LinearColour(0.30, 0.30, 0.32)
        for x in 0..<row.count {
            if isPost && x % spacing < thickness {
                row.set(x, wood * (0.6 + scene.texture.at(x, y / 4)))
            } else if isWire {
                row.set(x, wire)
            }
        }
    }
}
