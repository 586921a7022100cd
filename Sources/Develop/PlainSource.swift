import Pixels

/// Rows of sensors without a mosaic: three colours a pixel, or one grey.
final class PlainSource: RowSource {
    let holdsRoots = false

    private let samples: UnsafePointer<UInt16>
    private let strideSamples: Int
    private let crop: PixelRect
    private let samplesPerPixel: Int
    private let levels: SampleLevels
    private let highlights: Highlights

    /// The plane has to outlive the source.
    init(_ image: borrowing SensorImage, levels: SampleLevels) {
        samples = UnsafePointer(image.plane.row(0))
        strideSamples = image.plane.strideSamples
        crop = image.facts.crop
        samplesPerPixel = image.facts.layout.samplesPerPixel
        self.levels = levels
        highlights = Highlights(clip: levels.clip)
    }

    func begin(at y: Int) {}

    func produce(_ y: Int, into rows: SceneRows) {
        let row = rows.row(y)
        let line = samples + (crop.y + y) * strideSamples + crop.x * samplesPerPixel
        if samplesPerPixel == 1 {
            load(line, channel: 1, offset: 0, y: y, into: row.green)
            row.red.update(from: row.green, count: crop.size.width)
            row.blue.update(from: row.green, count: crop.size.width)
        } else {
            load(line, channel: 0, offset: 0, y: y, into: row.red)
            load(line, channel: 1, offset: 1, y: y, into: row.green)
            load(line, channel: 2, offset: 2, y: y, into: row.blue)
            highlights.restore(row)
        }
    }

    private func load(
        _ line: UnsafePointer<UInt16>, channel: Int, offset: Int, y: Int, into result: UnsafeMutablePointer<Float>
    ) {
        let scale = levels.scale[channel]
        let left = crop.x * samplesPerPixel + offset
        let period = levels.black.repeatSize.width
        let step = samplesPerPixel
        for phase in 0..<period where phase < crop.size.width {
            let black = levels.blackLevel(x: left + phase * step, y: crop.y + y)
            for x in stride(from: phase, to: crop.size.width, by: period) {
                let value = (Float(line[x * step + offset]) - black) * scale
                result[x] = value > 0 ? value : 0
            }
        }
    }
}
