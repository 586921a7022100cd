import PictureFormat
import Pixels

/// An X-Trans mosaic as cube roots of balanced light (`FixedPointRoots`), row by row.
///
/// Beyond its edges the picture is mirrored. The sensor's margins are not used, because on many cameras they are
/// masked.
final class XTransRows {
    /// Rows kept: as far as the interpolation looks back and ahead.
    static let depth = 16
    /// Samples mirrored at either end of a row.
    static let margin = 10
    /// Columns of the tables of black levels, about.
    private static let chunk = 480

    /// The phase of the picture's first sample.
    let phase: XTransPhase
    /// How light becomes roots of a fixed point.
    let roots: FixedPointRoots
    let count: Int

    /// Column and row of the plane at which the picture begins.
    var origin: (x: Int, y: Int) { (crop.x, crop.y) }

    private let samples: SensorSamples
    private let crop: PixelRect
    private let levels: SampleLevels
    /// How the pattern's columns lie in a row.
    let columns: XTransColumns.Range

    private let store: XTransColumns
    /// The roots of a row in reading order.
    private let whole: Int16ScratchRows
    /// The light of a row.
    private let light: ScratchRows
    /// By row, whose number repeats: black levels of some columns, and then their light per count.
    private let scales: ScratchRows
    private let rowPeriod: Int
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
        roots = FixedPointRoots(clip: levels.clip)
        columns = XTransColumns.Range(phase: self.phase, count: count)
        store = XTransColumns(depth: Self.depth, columns)
        whole = Int16ScratchRows(rows: 1, count: 6 * columns.count)
        light = ScratchRows(rows: 1, count: count)
        let period = Self.commonPeriod(levels.black.repeatSize.width)
        rowPeriod = Self.commonPeriod(levels.black.repeatSize.height)
        scales = ScratchRows(rows: 2 * rowPeriod, count: period * max(Self.chunk / period, 1))
        factors = ScratchRows(rows: 3, count: samples.gains == nil ? 0 : count)
        for y in 0..<rowPeriod {
            for x in 0..<scales.count {
                scales.row(2 * y)[x] = levels.blackLevel(x: crop.x + x, y: crop.y + y)
                scales.row(2 * y + 1)[x] = levels.scale[Int(self.phase.colour(x, y).rawValue)]
            }
        }
    }

    /// A loaded row of the picture, in a column of the pattern.
    @inline(__always)
    func row(_ y: Int, _ column: Int) -> UnsafePointer<Int16> { UnsafePointer(store.row(y, column)) }

    /// True if a row that row `y` of the result depends on has samples near saturation.
    func hasHighlights(around y: Int) -> Bool { (y - 4...y + 4).contains { hasHighlights[$0 & (Self.depth - 1)] } }

    /// Loads a row. Rows outside the picture are mirrored.
    func load(_ y: Int) {
        let inside = XTransPhase.reflect(y, crop.size.height, phase: phase.y)
        let (row, light) = (whole.row(0), light.row(0))
        let line = samples.row(inside)
        let (black, scale) = (scales.row(2 * (inside % rowPeriod)), scales.row(2 * (inside % rowPeriod) + 1))
        for start in stride(from: 0, to: count, by: scales.count) {
            let (piece, counts) = (light + start, line + start)
            for x in 0..<min(scales.count, count - start) { piece[x] = (Float(counts[x]) - black[x]) * scale[x] }
        }
        let bound = samples.gains.map { apply($0, to: light, inside) } ?? 1
        hasHighlights[y & (Self.depth - 1)] =
            samples.peak(row: inside, count: count) >= levels.highlightCount(gain: bound)
        roots.encode(light, into: row, count: count)
        for x in 1...Self.margin {
            row[-x] = row[XTransPhase.reflect(-x, count, phase: phase.x)]
            row[count - 1 + x] = row[XTransPhase.reflect(count - 1 + x, count, phase: phase.x)]
        }
        store.split(row - columns.lead, y, count: columns.count)
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
