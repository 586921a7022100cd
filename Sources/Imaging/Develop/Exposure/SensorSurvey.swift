internal import Concurrency
import DevelopKernels
import PictureFormat
import Pixels

/// A few thousand averages of small blocks of the whole picture, in balanced camera colour: sufficient for metering,
/// and fast. The blocks depend only on the picture's size.
struct SensorSurvey {
    private static let columns = 96
    private static let rows = 64
    /// In pixels, multiples of every mosaic's period.
    private static let blockWidth = 12
    private static let blockHeight = 6

    /// Row by row, from the upper left.
    let colours: [SIMD3<Float>]
    let across: Int
    let down: Int

    /// `SensorValidation` has checked the image. The corrections are those for developing.
    init(_ image: borrowing SensorImage, levels: SampleLevels, corrections: SensorCorrections, threads: Int) {
        let size = image.facts.crop.size
        let highlights = HighlightReconstruction(clip: levels.clip)
        let clip = SIMD3(levels.clip[0], levels.clip[1], levels.clip[2])
        let pattern = SampleWeightPattern(image.facts.layout, levels)
        let across = max(1, min(Self.columns, size.width / Self.blockWidth))
        let down = max(1, min(Self.rows, size.height / Self.blockHeight))
        let shares = min(max(threads, 1), down)
        colours = unsafe [SIMD3<Float>](unsafeUninitializedCapacity: across * down) { colours, count in
            count = across * down
            // Each thread writes separate rows, and all finish before the closure returns.
            guard let start = colours.baseAddress else { return }
            nonisolated(unsafe) let first = unsafe start
            Parallel.forEach(shares) { share in
                for row in down * share / shares..<down * (share + 1) / shares {
                    for column in 0..<across {
                        let (x, y) = Self.place(
                            x: (size.width - min(Self.blockWidth, size.width)) * column / max(across - 1, 1),
                            y: (size.height - min(Self.blockHeight, size.height)) * row / max(down - 1, 1),
                            image.facts.crop, corrections)
                        let light = Self.mean(image, pattern, x: x, y: y)
                        let mean = Self.gained(
                            light, image.facts, corrections.gains, clip: clip, x: x, y: y)
                        let (r, g, b) = highlights.restore(mean.x, mean.y, mean.z)
                        unsafe first[row * across + column] = SIMD3(r, g, b)
                    }
                }
            }
        }
        self.across = across
        self.down = down
    }

    /// The sensor's block that becomes the block at pixel `x`, `y` of the picture.
    private static func place(
        x: Int, y: Int, _ crop: PixelRect, _ corrections: SensorCorrections
    ) -> (x: Int, y: Int) {
        if corrections.warps.isEmpty { return (x, y) }
        let (middleX, middleY) = (Double(crop.x + blockWidth / 2), Double(crop.y + blockHeight / 2))
        let found = corrections.source(
            .init(repeating: Double(x) + middleX), .init(repeating: Double(y) + middleY), channel: 1)
        func bounded(_ place: Double, _ most: Int) -> Int {
            // NaN becomes 0.
            place > 0 ? Int(min(place.rounded(), Double(max(most, 0)))) : 0
        }
        return (
            bounded(found.x[0] - middleX, crop.size.width - blockWidth),
            bounded(found.y[0] - middleY, crop.size.height - blockHeight)
        )
    }

    /// Mean light of the block at pixel `x`, `y` with its gains: those of one mosaic period in the block's middle.
    private static func gained(
        _ light: SIMD3<Float>, _ facts: SensorFacts, _ gains: [SampleGain], clip: SIMD3<Float>, x: Int, y: Int
    ) -> SIMD3<Float> {
        if gains.isEmpty { return light }
        let (left, top) = (facts.crop.x + x + blockWidth / 2, facts.crop.y + y + blockHeight / 2)
        let period = facts.layout.period
        var (sums, counts) = (SIMD3<Float>.zero, SIMD3<Float>.zero)
        for index in 0..<period * period {
            let (row, column) = (top + index / period, left + index % period)
            for channel in 0..<3 where period == 1 || facts.layout.channel(x: column, y: row) == channel {
                sums[channel] += gains.reduce(1) { $0 * $1.factor(x: column, y: row, channel: channel) }
                counts[channel] += 1
            }
        }
        return pointwiseMin(light * sums / counts, clip)
    }

    private static func mean(
        _ image: borrowing SensorImage, _ pattern: SampleWeightPattern, x: Int, y: Int
    ) -> SIMD3<Float> {
        let crop = image.facts.crop
        let perPixel = image.facts.layout.samplesPerPixel
        let columns = (crop.x + x) * perPixel..<(crop.x + min(x + blockWidth, crop.size.width)) * perPixel
        var sums = SIMD4<Float>.zero
        var counts = SIMD4<Float>.zero
        for row in (crop.y + y)..<(crop.y + min(y + blockHeight, crop.size.height)) {
            // Validation proves that the picture lies inside the plane.
            unsafe pattern.add(image.plane.row(row), columns, y: row, to: &sums, &counts)
        }
        let mean = sums / counts.replacing(with: 1, where: counts .== 0)
        // Monochrome sensors have no red and blue samples; green replaces them.
        let grey = SIMD4(repeating: mean.y)
        let whole = mean.replacing(with: grey, where: counts .== 0)
        let light = whole.replacing(with: 0, where: whole .< 0)
        return SIMD3(light.x, light.y, light.z)
    }
}
