import PictureFormat
import Pixels

/// An X-Trans mosaic as cube roots of balanced light (`CubeRootEncoding`), row by row.
///
/// Beyond its edges the picture is mirrored. The sensor's margins are not used, because on many cameras they are
/// masked.
final class XTransRows {
    /// Rows kept: as far as the interpolation looks back and ahead.
    static let depth = 16
    /// Samples mirrored at either end of a row.
    static let margin = 10

    /// The phase of the picture's first sample.
    let phase: XTransPhase
    let count: Int

    /// Column and row of the plane at which the picture begins.
    var origin: (x: Int, y: Int) { (crop.x, crop.y) }

    private let samples: SensorSamples
    private let crop: PixelRect
    private let levels: SampleLevels
    private let store: ScratchRows
    /// The factors of a row's samples, by channel; empty if there are none.
    private let factors: ScratchRows
    /// Which of the rows kept have samples near saturation.
    private var hasHighlights = [Bool](repeating: false, count: depth)

    /// Proves that the picture is not smaller than the pattern, 6 × 6: nil otherwise.
    ///
    /// - Parameters:
    ///   - samples: their plane has to outlive the rows.
    ///   - phase: of the plane's first sample.
    init?(_ samples: SensorSamples, phase: XTransPhase, levels: SampleLevels) {
        guard samples.crop.size.width >= 6, samples.crop.size.height >= 6, samples.samplesPerPixel == 1 else {
            return nil
        }
        self.samples = samples
        crop = samples.crop
        self.levels = levels
        self.phase = phase.at(x: crop.x, y: crop.y)
        count = crop.size.width
        store = ScratchRows(rows: Self.depth, count: count)
        factors = ScratchRows(rows: 3, count: samples.gains == nil ? 0 : count)
    }

    /// A loaded row of the picture.
    @inline(__always)
    func row(_ y: Int) -> UnsafeMutablePointer<Float> { store.row(y & (Self.depth - 1)) }

    /// True if a row that row `y` of the result depends on has samples near saturation.
    func hasHighlights(around y: Int) -> Bool { (y - 4...y + 4).contains { hasHighlights[$0 & (Self.depth - 1)] } }

    /// Loads a row. Rows outside the picture are mirrored.
    func load(_ y: Int) {
        let inside = XTransPhase.reflect(y, crop.size.height, phase: phase.y)
        let row = row(y)
        let line = samples.row(inside)
        let period = Self.commonPeriod(levels.black.repeatSize.width)
        for first in 0..<min(period, count) {
            let black = levels.blackLevel(x: crop.x + first, y: crop.y + inside)
            let scale = levels.scale[Int(phase.colour(first, inside).rawValue)]
            for x in stride(from: first, to: count, by: period) { row[x] = (Float(line[x]) - black) * scale }
        }
        let bound = samples.gains.map { apply($0, to: row, inside) } ?? 1
        hasHighlights[y & (Self.depth - 1)] =
            samples.peak(row: inside, count: count) >= levels.highlightCount(gain: bound)
        for x in 1...Self.margin {
            row[-x] = row[XTransPhase.reflect(-x, count, phase: phase.x)]
            row[count - 1 + x] = row[XTransPhase.reflect(count - 1 + x, count, phase: phase.x)]
        }
        CubeRootEncoding.encode(row - Self.margin, count: count + 2 * Self.margin)
    }

    /// Multiplies the light of row `y` of the picture by its factors. What exceeds saturation is saturated.
    ///
    /// - Returns: a number that none of the factors exceeds.
    private func apply(_ gains: GainRows, to row: UnsafeMutablePointer<Float>, _ y: Int) -> Float {
        let columns = GainRows.Columns(first: crop.x, step: 1, count: count)
        var bound: Float = 1
        for channel in 0..<3 {
            bound = max(bound, gains.fill(factors.row(channel), columns, y: crop.y + y, channel: channel))
        }
        for first in 0..<min(6, count) {
            let channel = Int(phase.colour(first, y).rawValue)
            let (factors, clip) = (factors.row(channel), levels.clip[channel])
            for x in stride(from: first, to: count, by: 6) {
                let gained = row[x] * factors[x]
                row[x] = gained < clip ? gained : clip
            }
        }
        return bound
    }

    /// The least common multiple of six and `other`.
    private static func commonPeriod(_ other: Int) -> Int {
        var period = 6
        while period % other != 0 { period += 6 }
        return period
    }
}
