extension ScenePainter {
    /// Paints a gradient from the zenith to the horizon, clouds, and the sun with its glow. The sun is far brighter
    /// than a sensor's saturation.
    func paintSky(_ y: Int, _ row: PaintedRow) {
        let height = Float(y) * unit
        guard height < 0.75 else { return }
        let palette = scene.palette
        let base = palette.zenith.mixed(with: palette.horizon, smoothstep(0, 0.62, height))
        let down = height - scene.sunY
        for x in 0..<row.count {
            let column = Float(x) * unit
            let across = column - scene.sunX
            let distance = across * across + down * down
            let cloud = smoothstep(0.50, 0.78, scene.texture.smooth(column * 260, height * 620 + 90)) * (1 - height)
            let glow = 0.010 / (0.010 + distance)
            var colour = base.mixed(with: palette.cloud, cloud * 0.9)
            colour = colour.mixed(with: palette.sun * 1.5, glow * 0.6)
            if distance < 0.0011 { colour = palette.sun * 12 }
            row.set(x, colour)
        }
    }
}
