import PictureFormat
import Pixels

/// An X-Trans mosaic as cube roots of balanced light (`FixedPointRoots`), row by row. The picture is mirrored at its
/// edges. The sensor's margins are not used, because many cameras mask them.
final class XTransRows {
    /// Stored rows: the reach of the interpolation.
    static let depth = 16
    /// Samples mirrored at either end of a row.
    static let margin = 10
    /// Approximate columns of the black level tables.
    private static let chunk = 480

    let phase: XTransPhase
    let roots: FixedPointRoots
    let count: Int

    /// Column and row of the plane at which the picture starts.
    var origin: (x: Int, y: Int) { (crop.x, crop.y) }

    private let samples: SensorSamples
    private let crop: PixelRect
    private let levels: SampleLevels
    let columns: XTransColumns.Range

    private let store: XTransColumns
    /// Roots of a row in reading order.
    private let whole: Int16ScratchRows
    private let light: ScratchRows
    /// By row of a period, black levels of some columns, then light per count.
    private let scales: ScratchRows
    private let rowPeriod: Int
    private let factors: ScratchRows
    private var hasHighlights = [Bool](repeating: false, count: depth)

    /// Proves that the picture is not smaller than the 6 × 6 pattern: nil otherwise.
    ///
    /// - Parameters:
    ///   - samples: their plane must outlive the rows.
    ///   - phase: phase of the plane's first sample.
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

    /// A loaded row of the picture, in a pattern column.
    @inline(__always)
    func row(_ y: Int, _ column: Int) -> UnsafePointer<Int16> { UnsafePointer(store.row(y, column)) }

    /// Whether a row that row `y` of the result depends on has samples near saturation.
    func hasHighlights(around y: Int) -> Bool { (y - 4...y + 4).contains { hasHighlights[$0 & (Self.depth - 1)] } }

    /// Rows outside the picture are mirrored.
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

    /// Multiplies the light of row `y` by its gains, clips at saturation, and returns an upper bound of the gains.
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

    private static func commonPeriod(_ other: Int) -> Int {
        var period = 6
        while period % other != 0 { period += 6 }
        return period
    }
}
