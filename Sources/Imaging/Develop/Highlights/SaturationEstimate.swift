import DevelopKernels
import PictureFormat
import Pixels

/// Finds the level at which a sensor's samples saturate, if it is below the stated white level.
///
/// The wells or converters of many cameras are full a few per cent below it, and lossy compression blurs the level. A
/// burnt highlight that counted as unsaturated would get the colour of the white balance, which is magenta.
enum SaturationEstimate {
    /// Reads the first `rowsTaken` of every `rowStep` rows. Six rows are a multiple of every mosaic's period.
    private static let rowStep = 96
    private static let rowsTaken = 6
    /// Samples of a row that are skipped together if all are dark: a multiple of every mosaic's period.
    private static let pieceWidth = 192

    /// The share of the white level from which each channel counts as saturated; 1 if no samples pile up below white.
    /// `SensorValidation` has checked the image; `black` is the mean black level.
    static func shares(_ image: borrowing SensorImage, black: Float) -> [Float] {
        let piles = histograms(image, black: black).map { SaturationPile($0) }
        // A pile at white needs no evidence.
        let doubtful = (0..<3).compactMap { channel in
            piles[channel].flatMap { $0.share < 1 ? SaturationEvidence($0, channel: channel) : nil }
        }
        let saturated = doubtful.isEmpty ? [] : examined(doubtful, image, black: black)
        let found = (0..<3).map { channel -> Float? in
            guard let pile = piles[channel] else { return nil }
            return pile.share == 1 || saturated.contains(channel) ? pile.share : nil
        }
        // A sensor's channels have similar wells: a channel without its own pile saturates near the others.
        let bound = found.compactMap { $0 }.min() ?? 1
        return found.map { $0 ?? bound }
    }

    // MARK: - Reading

    private static func histograms(_ image: borrowing SensorImage, black: Float) -> [[Int32]] {
        var counts = [[Int32]](repeating: [Int32](repeating: 0, count: SaturationPile.bins), count: 3)
        let crop = image.facts.crop
        let perPixel = image.facts.layout.samplesPerPixel
        let (left, width) = (crop.x * perPixel, crop.size.width * perPixel)
        let lowestCount = image.facts.white.map { first(black, $0) }.min() ?? 0
        for start in stride(from: 0, to: crop.size.height, by: rowStep) {
            for y in start..<min(start + rowsTaken, crop.size.height) {
                // Validation proves that the picture lies inside the plane.
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
        return counts
    }

    private static func first(_ black: Float, _ white: Float) -> UInt16 {
        UInt16(min(max(black + (white - black) * SaturationPile.lowest, 0), 65_535))
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
        let bins = SaturationPile.bins
        let scale = Float(bins) / (white - black)
        // Clamped bins keep the index inside.
        unsafe counts.withUnsafeMutableBufferPointer { counts in
            for x in columns where unsafe line[x] >= from {
                let bin = (Float(unsafe line[x]) - black) * scale
                unsafe counts[Int(min(max(bin, 0), Float(bins - 1)))] += 1
            }
        }
    }

    // MARK: - Evidence

    /// Re-examines the counted samples in blocks, and returns the channels whose piles are saturation.
    private static func examined(
        _ doubtful: [SaturationEvidence], _ image: borrowing SensorImage, black: Float
    ) -> [Int] {
        guard let levels = SampleLevels(facts: image.facts, multipliers: [1, 1, 1]) else { return [] }
        let pattern = SampleWeightPattern(image.facts.layout, levels)
        var evidence = doubtful
        let (crop, edge) = (image.facts.crop, SaturationEvidence.edge)
        let perPixel = image.facts.layout.samplesPerPixel
        let lowestCount = image.facts.white.map { first(black, $0) }.min() ?? 0
        for y in stride(from: 0, to: crop.size.height - edge + 1, by: rowStep) {
            for x in stride(from: 0, to: crop.size.width - edge + 1, by: edge) {
                let columns = (crop.x + x) * perPixel..<(crop.x + x + edge) * perPixel
                // Validation proves that the picture lies inside the plane.
                guard unsafe peak(image.plane.row(crop.y + y), columns) >= lowestCount else { continue }
                var (sums, counts) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                for row in (crop.y + y)..<(crop.y + y + edge) {
                    unsafe pattern.add(image.plane.row(row), columns, y: row, to: &sums, &counts)
                }
                let means = sums / counts.replacing(with: 1, where: counts .== 0)
                for index in evidence.indices { evidence[index].add(means) }
            }
        }
        return evidence.filter(\.isSaturation).map(\.channel)
    }
}
