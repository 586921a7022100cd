import PictureFormat
import Pixels

/// An X-Trans mosaic as square roots of balanced light, row by row. Beyond its edges the picture is mirrored; the
/// sensor's margins are not used, because on many cameras they are masked.
final class XTransRows {
    /// Rows kept: what the interpolation looks back and ahead.
    static let depth = 16
    /// Samples mirrored at either end of a row.
    static let margin = 10

    /// Of the picture's corner.
    let phase: XTransPhase
    let count: Int

    private let samples: UnsafePointer<UInt16>
    private let strideSamples: Int
    private let crop: PixelRect
    private let levels: SampleLevels
    private let store: ScratchRows
    /// Which of the rows kept have samples near saturation.
    private var bright = [Bool](repeating: false, count: depth)

    /// The plane has to outlive the rows.
    init(_ image: borrowing SensorImage, phase: XTransPhase, levels: SampleLevels) {
        samples = UnsafePointer(image.plane.row(0))
        strideSamples = image.plane.strideSamples
        crop = image.facts.crop
        self.levels = levels
        self.phase = phase.at(x: crop.x, y: crop.y)
        count = crop.size.width
        store = ScratchRows(rows: Self.depth, count: count)
    }

    @inline(__always)
    func row(_ y: Int) -> UnsafeMutablePointer<Float> { store.row(y & (Self.depth - 1)) }

    /// True where a row that this one is made of comes near saturation.
    func isBright(around y: Int) -> Bool { (y - 4...y + 4).contains { bright[$0 & (Self.depth - 1)] } }

    func load(_ y: Int) {
        let inside = XTransPhase.reflect(y, crop.size.height, phase: phase.y)
        let row = row(y)
        let line = samples + (crop.y + inside) * strideSamples + crop.x
        bright[y & (Self.depth - 1)] = peak(line) >= levels.brightCount
        let period = Self.commonPeriod(levels.black.repeatSize.width)
        for first in 0..<min(period, count) {
            let black = levels.blackLevel(x: crop.x + first, y: crop.y + inside)
            let scale = levels.scale[Int(phase.colour(first, inside).rawValue)]
            for x in stride(from: first, to: count, by: period) { row[x] = (Float(line[x]) - black) * scale }
        }
        for x in 1...Self.margin {
            row[-x] = row[XTransPhase.reflect(-x, count, phase: phase.x)]
            row[count - 1 + x] = row[XTransPhase.reflect(count - 1 + x, count, phase: phase.x)]
        }
        RootCoding.encode(row - Self.margin, count: count + 2 * Self.margin)
    }

    private func peak(_ line: UnsafePointer<UInt16>) -> UInt16 {
        var peak: UInt16 = 0
        for x in 0..<count { peak = peak > line[x] ? peak : line[x] }
        return peak
    }

    /// The least multiple of six and `other`.
    private static func commonPeriod(_ other: Int) -> Int {
        var period = 6
        while period % other != 0 { period += 6 }
        return period
    }
}
