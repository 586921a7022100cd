import PictureFormat
import Pixels

/// Where a sensor's samples stop rising, where that lies below the white level its file or LibRaw's table names: many
/// cameras' wells or converters are full a few per cent earlier, and a saturated light would keep the colour of the
/// white balance, which is magenta.
///
/// Saturated samples pile up: at their level stand many times as many as below it, and next to none above.
enum Saturation {
    /// Levels from this share of white are looked at.
    private static let lowest: Float = 0.75
    /// Bins up to white; those looked at are the upper quarter.
    private static let bins = 1024
    /// Every so manyth pair of rows (six rows keep the period of every mosaic).
    private static let rowStep = 96
    private static let rowsTaken = 6
    /// Samples of a row that are looked over at once, a multiple of every mosaic's period.
    private static let pieceWidth = 192

    /// Share of the white level at which each channel saturates; 1 where nothing piles up below.
    static func shares(_ image: borrowing SensorImage, black: Float) -> [Float] {
        var counts = [[Int32]](repeating: [Int32](repeating: 0, count: bins), count: 3)
        let crop = image.facts.crop
        let perPixel = image.facts.layout.samplesPerPixel
        let (left, width) = (crop.x * perPixel, crop.size.width * perPixel)
        let least = image.facts.white.map { first(black, $0) }.min() ?? 0
        for start in stride(from: 0, to: crop.size.height, by: rowStep) {
            for y in start..<min(start + rowsTaken, crop.size.height) {
                let line = image.plane.row(crop.y + y) + left
                for piece in stride(from: 0, to: width, by: pieceWidth) {
                    let columns = piece..<min(piece + pieceWidth, width)
                    // Most of most pictures is far darker.
                    guard peak(line, columns) >= least else { continue }
                    for phase in columns.prefix(6) {
                        let channel = image.facts.layout.channel(x: left + phase, y: crop.y + y)
                        let white = image.facts.white[channel]
                        let alike = stride(from: phase, to: columns.upperBound, by: 6)
                        count(line, alike, black, white, &counts[channel])
                    }
                }
            }
        }
        return counts.map(share)
    }

    /// The lowest count that is looked at.
    private static func first(_ black: Float, _ white: Float) -> UInt16 {
        UInt16(min(max(black + (white - black) * lowest, 0), 65_535))
    }

    private static func peak(_ line: UnsafePointer<UInt16>, _ columns: Range<Int>) -> UInt16 {
        var peak: UInt16 = 0
        for x in columns { peak = max(peak, line[x]) }
        return peak
    }

    private static func count(
        _ line: UnsafePointer<UInt16>, _ columns: StrideTo<Int>, _ black: Float, _ white: Float,
        _ counts: inout [Int32]
    ) {
        let from = first(black, white)
        let scale = Float(bins) / (white - black)
        counts.withUnsafeMutableBufferPointer { counts in
            for x in columns where line[x] >= from {
                let bin = (Float(line[x]) - black) * scale
                counts[Int(min(max(bin, 0), Float(bins - 1)))] += 1
            }
        }
    }

    /// - Parameter counts: of samples by level, the last bin being white and above.
    private static func share(_ counts: [Int32]) -> Float {
        let first = Int(Float(bins) * lowest) + 2
        let last = bins - 12
        guard let mode = (first..<last).max(by: { counts[$0] < counts[$1] }), counts[mode] > 0 else { return 1 }
        let pile = counts[(mode - 2)...(mode + 2)].reduce(0) { $0 + Int($1) }
        let above = counts[(mode + 10)...].reduce(0) { $0 + Int($1) }
        let below = counts[max(first, mode - 60)..<max(first, mode - 12)]
        // Of as many bins as the pile has.
        let usual = below.isEmpty ? 0 : 5 * below.reduce(0) { $0 + Int($1) } / below.count
        guard pile >= 60, pile >= 8 * usual, above * 20 <= pile else { return 1 }
        return Float(mode) / Float(bins)
    }
}
