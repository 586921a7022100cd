import PictureFormat
import Pixels

/// Tiles of a sensor without a mosaic: three colours per pixel, or one grey.
final class NonMosaicSource: TileSource {
    private let samples: SensorSamples
    private let levels: SampleLevels
    private let highlights: HighlightReconstruction
    private let scratch = ScratchRows(rows: 3, count: Tile.width)
    private let factors = ScratchRows(rows: 1, count: Tile.width)

    /// The samples' plane must outlive the source.
    init(_ samples: SensorSamples, levels: SampleLevels, highlights: HighlightReconstruction) {
        self.samples = samples
        self.levels = levels
        self.highlights = highlights
    }

    func prepare(_ y: Int) {}

    func fill(_ tile: Tile, matrix: ColourMatrix) {
        for y in tile.rows {
            let row = tile.row(y, in: scratch)
            let inside = tile.inside(row)
            fill(inside)
            matrix.apply(inside)
            tile.split(row)
        }
    }

    private func fill(_ row: PixelRow) {
        if samples.samplesPerPixel == 1 {
            load(row, channel: 1, offset: 0, into: row.green)
            row.red.update(from: row.green, count: row.count)
            row.blue.update(from: row.green, count: row.count)
        } else {
            loadPixels(row)
            if highlights.areNear(row) {
                highlights.restore(row, x: samples.crop.x + row.x, y: samples.crop.y + row.y)
            }
        }
    }

    /// Loads three channels at once, which compilers vectorise, if each has one black level.
    private func loadPixels(_ row: PixelRow) {
        guard 3 % levels.black.repeatSize.width == 0 else {
            load(row, channel: 0, offset: 0, into: row.red)
            load(row, channel: 1, offset: 1, into: row.green)
            return load(row, channel: 2, offset: 2, into: row.blue)
        }
        let line = samples.row(row.y) + row.x * 3
        let (left, y) = ((samples.crop.x + row.x) * 3, samples.crop.y + row.y)
        let (red, green, blue) = (levels.scale[0], levels.scale[1], levels.scale[2])
        let redBlack = levels.blackLevel(x: left, y: y)
        let greenBlack = levels.blackLevel(x: left + 1, y: y)
        let blueBlack = levels.blackLevel(x: left + 2, y: y)
        for x in 0..<row.count {
            let r = (Float(line[x * 3]) - redBlack) * red
            let g = (Float(line[x * 3 + 1]) - greenBlack) * green
            let b = (Float(line[x * 3 + 2]) - blueBlack) * blue
            row.red[x] = r > 0 ? r : 0
            row.green[x] = g > 0 ? g : 0
            row.blue[x] = b > 0 ? b : 0
        }
        guard let gains = samples.gains else { return }
        for (channel, light) in [row.red, row.green, row.blue].enumerated() { apply(gains, to: light, row, channel) }
    }

    private func load(_ row: PixelRow, channel: Int, offset: Int, into result: UnsafeMutablePointer<Float>) {
        let scale = levels.scale[channel]
        let step = samples.samplesPerPixel
        let line = samples.row(row.y) + row.x * step + offset
        let (left, y) = ((samples.crop.x + row.x) * step + offset, samples.crop.y + row.y)
        let period = levels.black.repeatSize.width
        for phase in 0..<min(period, row.count) {
            let black = levels.blackLevel(x: left + phase * step, y: y)
            for x in stride(from: phase, to: row.count, by: period) {
                let value = (Float(line[x * step]) - black) * scale
                result[x] = value > 0 ? value : 0
            }
        }
        if let gains = samples.gains { apply(gains, to: result, row, channel) }
    }

    /// Multiplies light by gains, and clips at saturation.
    private func apply(_ gains: GainRows, to light: UnsafeMutablePointer<Float>, _ row: PixelRow, _ channel: Int) {
        let columns = GainRows.Columns(first: samples.crop.x + row.x, step: 1, count: row.count)
        let (factors, clip) = (factors.row(0), levels.clip[channel])
        _ = gains.fill(factors, columns, y: samples.crop.y + row.y, channel: channel)
        for x in 0..<row.count {
            let gained = light[x] * factors[x]
            light[x] = gained < clip ? gained : clip
        }
    }
}
