import ColourScience
import PictureFormat
import Pixels

/// How noisy a picture's samples are: the shot noise that its ISO speed lets expect, corrected by what the picture shows.
///
/// In square roots of light shot noise is the same from shadow to light (`RootCoding`), so one number says it.
struct NoiseLevel: Sendable {
    /// Noise reduction begins above the first speed and is in full from the second.
    private static let speeds: ClosedRange<Float> = 400...1600
    /// Electrons a saturated sample holds at ISO 100: of a telephone's sensor, and of the best of full frame.
    private static let wells: ClosedRange<Float> = 8_000...120_000
    /// A sensor between them, for pictures too dark to tell.
    private static let usualWell: Float = 40_000
    /// So many rows are looked at, at least.
    private static let rows = 64
    /// Green samples at least so far above black and below white are looked at, as shares of white.
    private static let range: ClosedRange<Float> = 0.02...0.7
    /// Of the histogram of second differences.
    private static let bins = 4096
    private static let binsPerUnit: Float = 8192

    /// Standard deviation of the root of light, light being 1 where a sample is saturated.
    let deviation: Float
    /// How much of a full reduction is due, 0…1; it lets the limits grow from nothing.
    let share: Float

    /// Nil where noise is to be left alone: below ISO 400, and where the file does not say.
    init?(_ image: borrowing SensorImage) {
        let facts = image.facts
        guard facts.layout != .monochrome, let speed = facts.isoSpeed, speed > Self.speeds.lowerBound else {
            return nil
        }
        let stops = DeterministicMath.log2(Double(speed / Self.speeds.lowerBound))
        let all = DeterministicMath.log2(Double(Self.speeds.upperBound / Self.speeds.lowerBound))
        share = Float(min(stops / all, 1))
        let least = Self.expected(speed, well: Self.wells.upperBound)
        let most = Self.expected(speed, well: Self.wells.lowerBound)
        let found = Self.measured(image) ?? Self.expected(speed, well: Self.usualWell)
        deviation = min(max(found, least), most)
    }

    /// The root of a Poisson number has a variance of a quarter (M. S. Bartlett, 1936, "The square root transformation
    /// in analysis of variance").
    private static func expected(_ speed: Float, well: Float) -> Float {
        (0.25 * speed / (100 * well)).squareRoot()
    }

    /// From second differences of neighbouring greens in a row. Detail makes many of them large; the fifth part that is
    /// least comes from smooth places (after S. I. Olsen, 1993, "Estimation of noise in images: an evaluation").
    private static func measured(_ image: borrowing SensorImage) -> Float? {
        let facts = image.facts
        let black = facts.black.values.reduce(0, +) / Float(facts.black.values.count)
        let perPixel = facts.layout.samplesPerPixel
        let (left, right) = (facts.crop.x * perPixel, (facts.crop.x + facts.crop.size.width) * perPixel)
        let step = facts.layout.greenStep
        let rowStep = max(1, facts.crop.size.height / rows)
        var counts = [Int](repeating: 0, count: bins)
        for y in stride(from: facts.crop.y, to: facts.crop.y + facts.crop.size.height, by: rowStep) {
            // Six columns are a period of every mosaic.
            for first in (left + step)..<(left + step + 6) where facts.layout.channel(x: first, y: y) == 1 {
                count(
                    image.plane.row(y), stride(from: first, to: right - step, by: 6), step, black, facts.white[1],
                    &counts)
            }
        }
        return deviation(counts)
    }

    private static func count(
        _ line: UnsafePointer<UInt16>, _ columns: StrideTo<Int>, _ step: Int, _ black: Float, _ white: Float,
        _ counts: inout [Int]
    ) {
        let scale = 1 / (white - black)
        for x in columns {
            let (a, b, c) = (
                (Float(line[x - step]) - black) * scale, (Float(line[x]) - black) * scale,
                (Float(line[x + step]) - black) * scale
            )
            guard range.contains(a), range.contains(b), range.contains(c) else { continue }
            let second = a.squareRoot() + c.squareRoot() - 2 * b.squareRoot()
            counts[min(Int(second.magnitude * binsPerUnit), bins - 1)] += 1
        }
    }

    /// A fifth of a normal distribution lies within 0.2533 deviations; the weights 1 -2 1 make its variance six-fold.
    private static func deviation(_ counts: [Int]) -> Float? {
        let all = counts.reduce(0, +)
        guard all >= 200 else { return nil }
        var (bin, sum) = (0, 0)
        while (sum + counts[bin]) * 5 < all {
            sum += counts[bin]
            bin += 1
        }
        let part = (Float(all) / 5 - Float(sum)) / Float(max(counts[bin], 1))
        return (Float(bin) + part) / binsPerUnit / (0.2533 * 2.4495)
    }
}

extension SensorLayout {
    /// Samples from a green one to one that is green too, in the same row, at any place.
    fileprivate var greenStep: Int {
        switch self {
        case .bayer: 2
        case .xTrans, .linearRGB: 3
        case .monochrome: 1
        }
    }
}
