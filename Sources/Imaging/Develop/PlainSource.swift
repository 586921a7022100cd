import PictureFormat
import Pixels

/// Rows of sensors without a mosaic: three colours a pixel, or one grey.
final class PlainSource: TileSource {
    private let samples: UnsafePointer<UInt16>
    private let strideSamples: Int
    private let crop: PixelRect
    private let samplesPerPixel: Int
    private let levels: SampleLevels
    private let highlights: Highlights
    private let scratch = ScratchRows(rows: 3, count: Tile.width)

    /// The plane has to outlive the source.
    init(_ image: borrowing SensorImage, levels: SampleLevels) {
        samples = UnsafePointer(image.plane.row(0))
        strideSamples = image.plane.strideSamples
        crop = image.facts.crop
        samplesPerPixel = image.facts.layout.samplesPerPixel
        self.levels = levels
        highlights = Highlights(clip: levels.clip)
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
        if samplesPerPixel == 1 {
            load(row, channel: 1, offset: 0, into: row.green)
            row.red.update(from: row.green, count: row.count)
            row.blue.update(from: row.green, count: row.count)
        } else {
            load(row, channel: 0, offset: 0, into: row.red)
            load(row, channel: 1, offset: 1, into: row.green)
            load(row, channel: 2, offset: 2, into: row.blue)
            highlights.restore(row)
        }
    }

    /// - Parameter offset: of the channel's sample in a pixel.
    private func load(_ row: PixelRow, channel: Int, offset: Int, into result: UnsafeMutablePointer<Float>) {
        let scale = levels.scale[channel]
        let step = samplesPerPixel
        let y = crop.y + row.y
        let left = (crop.x + row.x) * step + offset
        let line = samples + y * strideSamples + left
        let period = levels.black.repeatSize.width
        for phase in 0..<min(period, row.count) {
            let black = levels.blackLevel(x: left + phase * step, y: y)
            for x in stride(from: phase, to: row.count, by: period) {
                let value = (Float(line[x * step]) - black) * scale
                result[x] = value > 0 ? value : 0
            }
        }
    }
}
