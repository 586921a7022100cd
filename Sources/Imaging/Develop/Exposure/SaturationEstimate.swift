import PictureFormat
import Pixels

/// Finds the level at which a sensor's samples saturate, if it is below the white level that the file or LibRaw's table
/// names.
///
/// The wells or converters of many cameras are full a few per cent below it. Taken for unsaturated, a burnt highlight
/// would get the colour of the white balance, which is magenta. Saturated samples pile up: many more lie at their level
/// than just below it, and next to none above it.
enum SaturationEstimate {
    /// The lowest level that is searched, as a share of white.
    private static let lowest: Float = 0.75
    /// Histogram bins up to white, of which the upper quarter is used.
    private static let bins = 1024
    /// The first `rowsTaken` of every `rowStep` rows are read. Six rows are a multiple of every mosaic's period.
    private static let rowStep = 96
    private static let rowsTaken = 6
    /// Samples of a row that are skipped together if all of them are dark: a multiple of every mosaic's period.
    private static let pieceWidth = 192

    /// The share of the white level at which each channel saturates; 1 if nothing piles up below white.
    ///
    /// - Parameters:
    ///   - image: checked by `SensorValidation`.
    ///   - black: the mean black level.
    static func shares(_ image: borrowing SensorImage, black: Float) -> [Float] {
        var counts = [[Int32]](repeating: [Int32](repeating: 0, count: bins), count: 3)
        let crop = image.facts.crop
        let perPixel = image.facts.layout.samplesPerPixel
        let (left, width) = (crop.x * perPixel, crop.size.width * perPixel)
        let lowestCount = image.facts.white.map { first(black, $0) }.min() ?? 0
        for start in stride(from: 0, to: crop.size.height, by: rowStep) {
            for y in start..<min(start + rowsTaken, crop.size.height) {
                // Validation has proved that the picture lies inside the plane.
                let line = unsafe image.plane.row(crop.y + y) + left
                for piece in stride(from: 0, to: width, by: pieceWidth) {
                    let columns = piece..<min(piece + pieceWidth, width)
                    // Most of a picture is far darker.
                    guard unsafe peak(line, columns) >= lowestCount else { continue }
                    for phase in columns.prefix(6) {
                        let channel = image.facts.layout.channel(x: left + phase, y: crop.y + y)
                        let white = image.facts.white[channel]
                        let sameChannel = stride(from: phase, to: columns.upperBound, by: 6)
                        unsafe count(line, sameChannel, black, white, &counts[channel])
                    }
                }
            }
        }
        return counts.map(share)
    }

    /// The lowest sensor count that is searched.
    private static func first(_ black: Float, _ white: Float) -> UInt16 {
        UInt16(min(max(black + (white - black) * lowest, 0), 65_535))
    }

    private static func peak(_ line: UnsafePointer<UInt16>, _ columns: Range<Int>) -> UInt16 {
        var peak: UInt16 = 0
        for x in columns { peak = unsafe max(peak, line[x]) }
        return peak
    }

    private static func count(
        _ line: UnsafePointer<UInt16>, _ columns: StrideTo<Int>, _ black: Float, _ white: Float,
        _ counts: inout [Int32]
    ) {
        let from = first(black, white)
        let scale = Float(bins) / (white - black)
        // Bins are clamped, so the index is inside.
        unsafe counts.withUnsafeMutableBufferPointer { counts in
            for x in columns where unsafe line[x] >= from {
                let bin = (Float(unsafe line[x]) - black) * scale
                unsafe counts[Int(min(max(bin, 0), Float(bins - 1)))] += 1
            }
        }
    }

    /// - Parameter counts: the histogram, whose last bin is white and above.
    private static func share(_ counts: [Int32]) -> Float {
        let first = Int(Float(bins) * lowest) + 2
        let last = bins - 12
        guard let mode = (first..<last).max(by: { counts[$0] < counts[$1] }), counts[mode] > 0 else { return 1 }
        let pile = counts[(mode - 2)...(mode + 2)].reduce(0) { $0 + Int($1) }
        let above = counts[(mode + 10)...].reduce(0) { $0 + Int($1) }
        let below = counts[max(first, mode - 60)..<max(first, mode - 12)]
        // The samples to expect in as many bins as the pile has.
        let expected = below.isEmpty ? 0 : 5 * below.reduce(0) { $0 + Int($1) } / below.count
        guard pile >= 60, pile >= 8 * expected, above * 20 <= pile else { return 1 }
        return Float(mode) / Float(bins)
    }
}
