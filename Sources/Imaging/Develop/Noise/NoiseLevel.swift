import ColourScience
import PictureFormat
import Pixels

/// The noise of a picture's samples: the shot noise expected at its ISO speed, corrected by measurement.
///
/// In square roots of light, shot noise has the same deviation from shadow to highlight (F. J. Anscombe, 1948), so one
/// number describes it.
struct NoiseLevel: Sendable {
    /// ISO speeds between which noise reduction grows from nothing to full strength.
    private static let speeds: ClosedRange<Float> = 400...1600
    /// Other speeds count as unknown.
    private static let plausibleSpeeds: ClosedRange<Float> = 1...10_000_000
    /// For unknown speeds.
    private static let baseSpeed: Float = 100
    /// Full-well capacities in electrons at ISO 100, from a telephone's sensor to the best full-frame one.
    private static let fullWells: ClosedRange<Float> = 8_000...120_000
    /// Capacity for pictures too dark to measure.
    private static let typicalFullWell: Float = 40_000
    /// Minimum number of measured rows.
    private static let minRows = 64
    /// Measured green samples, as shares of the range from black to white.
    private static let range: ClosedRange<Float> = 0.02...0.7
    /// Of the histogram of second differences.
    private static let bins = 4096
    private static let binsPerUnit: Float = 8192

    /// Standard deviation of the root of light, where light is 1 at saturation.
    let deviation: Float
    /// Strength of noise reduction, 0…1, which scales its limits.
    let strength: Float

    /// The strength is 0 up to ISO 400 and for an unknown speed.
    init(_ image: borrowing SensorImage) {
        let known = image.facts.isoSpeed.flatMap { Self.plausibleSpeeds.contains($0) ? $0 : nil }
        let speed = known ?? Self.baseSpeed
        let stops = DeterministicMath.log2(Double(speed / Self.speeds.lowerBound))
        let all = DeterministicMath.log2(Double(Self.speeds.upperBound / Self.speeds.lowerBound))
        strength = Float(min(max(stops / all, 0), 1))
        if let stated = image.facts.noise.map(Self.deviation) {
            // The measurement includes compression and the residue of noise reduction in the camera.
            deviation = min(max(Self.measured(image) ?? stated, stated / 2), stated * 2)
            return
        }
        let lower = Self.expected(speed, fullWell: Self.fullWells.upperBound)
        // For an unknown speed, the measurement counts up to the noise of a high one.
        let upper = Self.expected(known ?? Self.speeds.upperBound, fullWell: Self.fullWells.lowerBound)
        let found = Self.measured(image) ?? Self.expected(speed, fullWell: Self.typicalFullWell)
        deviation = min(max(found, lower), upper)
    }

    /// Deviation of the root of light: light's deviation over twice its root, at a tenth of saturation.
    private static func deviation(_ noise: StatedNoise) -> Float {
        (0.25 * (noise.perLight + noise.dark / 0.1)).squareRoot()
    }

    /// The root of a Poisson variable has a variance of a quarter (M. S. Bartlett, 1936, "The square root
    /// transformation in analysis of variance").
    private static func expected(_ speed: Float, fullWell: Float) -> Float {
        (0.25 * speed / (100 * fullWell)).squareRoot()
    }

    /// Deviation measured by second differences of neighbouring greens in a row. Detail makes many of them large; the
    /// smallest fifth comes from smooth areas (after S. I. Olsen, 1993, "Estimation of noise in images: an
    /// evaluation").
    private static func measured(_ image: borrowing SensorImage) -> Float? {
        let facts = image.facts
        let black = facts.black.values.reduce(0, +) / Float(facts.black.values.count)
        let perPixel = facts.layout.samplesPerPixel
        let (left, right) = (facts.crop.x * perPixel, (facts.crop.x + facts.crop.size.width) * perPixel)
        let step = facts.layout.greenStep
        let rowStep = max(1, facts.crop.size.height / minRows)
        var counts = [Int](repeating: 0, count: bins)
        for y in stride(from: facts.crop.y, to: facts.crop.y + facts.crop.size.height, by: rowStep) {
            // Every mosaic repeats after six columns.
            for first in (left + step)..<(left + step + 6) where facts.layout.channel(x: first, y: y) == 1 {
                // Validation proves that the picture lies inside the plane.
                unsafe count(
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
            let (a, b, c) = unsafe (
                (Float(line[x - step]) - black) * scale, (Float(line[x]) - black) * scale,
                (Float(line[x + step]) - black) * scale
            )
            guard range.contains(a), range.contains(b), range.contains(c) else { continue }
            let second = a.squareRoot() + c.squareRoot() - 2 * b.squareRoot()
            counts[min(Int(second.magnitude * binsPerUnit), bins - 1)] += 1
        }
    }

    /// A fifth of a normal distribution lies within 0.2533 deviations, and the weights 1 -2 1 multiply its variance by
    /// six.
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
    /// Distance in samples between green samples of a row.
    fileprivate var greenStep: Int {
        switch self {
        case .bayer: 2
        case .xTrans, .linearRGB: 3
        case .monochrome: 1
        }
    }
}
