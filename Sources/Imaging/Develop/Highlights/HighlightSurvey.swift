internal import Concurrency
import DevelopKernels
import PictureFormat
import Pixels

/// Finds the hues of light around burnt areas (`HighlightHues`).
///
/// Reads blocks of 6 × 6 pixels from a quarter of the rows. Bright unsaturated blocks within a few blocks of a
/// saturated one count, brighter ones more.
enum HighlightSurvey {
    /// Pixels along both edges of a block: a multiple of every mosaic's period.
    private static let edge = 6
    private static let rowStep = 24
    /// Maximum distance from a burnt block in its row of blocks.
    private static let reach = 6
    /// Minimum light, as a share of saturation.
    private static let lowest: Float = 0.4

    /// Nil if nothing is burnt, or nothing around it counts. `SensorValidation` has checked the image; the levels are
    /// in the balance for developing.
    static func hues(_ image: borrowing SensorImage, levels: SampleLevels, threads: Int) -> HighlightHues? {
        if image.facts.layout == .monochrome { return nil }
        let (crop, cell) = (image.facts.crop, HighlightHues.cell)
        let pattern = SampleWeightPattern(image.facts.layout, levels)
        let burnt = levels.highlightCount()
        let (across, down) = (
            (crop.x + crop.size.width + cell - 1) / cell, (crop.y + crop.size.height + cell - 1) / cell
        )
        var cells = [SIMD4<Float>](repeating: .zero, count: across * down)
        let tops = Array(stride(from: crop.y, through: crop.y + crop.size.height - edge, by: rowStep))
        let shares = min(max(threads, 1), down)
        unsafe cells.withUnsafeMutableBufferPointer { cells in
            guard let start = cells.baseAddress else { return }
            // Each thread adds blocks to separate rows of cells in the blocks' order, so the sums have the same bits
            // for any number of threads. All finish before the closure returns.
            nonisolated(unsafe) let first = unsafe start
            Parallel.forEach(shares) { share in
                let own = down * share / shares..<down * (share + 1) / shares
                var peaks = [UInt16](repeating: 0, count: crop.size.width / edge)
                for top in tops {
                    let row = (top + edge / 2) / cell
                    guard own.contains(row), isBurnt(image, rows: top..<top + edge, burnt) else { continue }
                    findPeaks(image, top: top, &peaks)
                    for block in besides(peaks, burnt) {
                        let light = Self.light(image, pattern, top: top, block: block)
                        guard let weighted = weighted(light, levels.clip) else { continue }
                        // The middle of a block lies inside the picture, and so inside the cells.
                        unsafe first[row * across + (crop.x + block * edge + edge / 2) / cell] += weighted
                    }
                }
            }
        }
        return spread(cells, across: across, down: down)
    }

    // MARK: - Blocks

    private static func isBurnt(_ image: borrowing SensorImage, rows: Range<Int>, _ burnt: UInt16) -> Bool {
        let perPixel = image.facts.layout.samplesPerPixel
        let crop = image.facts.crop
        let columns = crop.x * perPixel..<(crop.x + crop.size.width) * perPixel
        for y in rows where unsafe peak(image.plane.row(y), columns) >= burnt { return true }
        return false
    }

    private static func findPeaks(_ image: borrowing SensorImage, top: Int, _ peaks: inout [UInt16]) {
        for block in peaks.indices {
            let columns = columns(image, block)
            var peak: UInt16 = 0
            // Validation proves that the picture lies inside the plane.
            for y in top..<top + edge { peak = unsafe max(peak, Self.peak(image.plane.row(y), columns)) }
            peaks[block] = peak
        }
    }

    private static func columns(_ image: borrowing SensorImage, _ block: Int) -> Range<Int> {
        let (left, perPixel) = (image.facts.crop.x + block * edge, image.facts.layout.samplesPerPixel)
        return left * perPixel..<(left + edge) * perPixel
    }

    private static func light(
        _ image: borrowing SensorImage, _ pattern: SampleWeightPattern, top: Int, block: Int
    ) -> SIMD4<Float> {
        let columns = columns(image, block)
        var (sums, counts) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
        for y in top..<top + edge { unsafe pattern.add(image.plane.row(y), columns, y: y, to: &sums, &counts) }
        return sums / counts.replacing(with: 1, where: counts .== 0)
    }

    /// The hue of light, weighted by its brightness, with 1 as last number. Nil for light that does not count.
    private static func weighted(_ light: SIMD4<Float>, _ clip: [Float]) -> SIMD4<Float>? {
        let share = (light / SIMD4(clip[0], clip[1], clip[2], 1)).max()
        guard share >= lowest, light.max() > 0 else { return nil }
        let cubed = share * share * share
        var weighted = pointwiseMax(light, .zero) / light.max() * (cubed * cubed)
        weighted.w = 1
        return weighted
    }

    private static func peak(_ line: UnsafePointer<UInt16>, _ columns: Range<Int>) -> UInt16 {
        var peak: UInt16 = 0
        for x in columns { peak = unsafe max(peak, line[x]) }
        return peak
    }

    /// Blocks of a row that are not burnt, but near a burnt one.
    private static func besides(_ peaks: [UInt16], _ burnt: UInt16) -> [Int] {
        var found: [Int] = []
        var (last, checked) = (-reach - 1, 0)
        for (block, peak) in peaks.enumerated() where peak >= burnt {
            // Blocks between the last burnt block and this one, near either.
            for other in checked..<block where other - last <= reach || block - other <= reach { found.append(other) }
            (last, checked) = (block, block + 1)
        }
        for other in checked..<peaks.count where other - last <= reach && last >= 0 { found.append(other) }
        return found
    }

    // MARK: - Cells

    /// Turns sums of hues into hues, and fills cells without any (last number 0) from their nearest neighbours.
    private static func spread(_ sums: [SIMD4<Float>], across: Int, down: Int) -> HighlightHues? {
        var cells = sums.map { $0.w > 0 ? hue($0) : .zero }
        var known = cells.indices.filter { cells[$0].w > 0 }
        while !known.isEmpty {
            var reached: [Int] = []
            for index in known {
                for other in neighbours(index, across, down) where cells[other].w <= 0 {
                    if cells[other].w == 0 { reached.append(other) }
                    // Unfinished sums have a negative last number.
                    cells[other] += SIMD4(cells[index].x, cells[index].y, cells[index].z, -1)
                }
            }
            for index in reached { cells[index] = hue(cells[index]) }
            known = reached
        }
        return cells.contains { $0.w > 0 } ? HighlightHues(across: across, down: down, cells: cells) : nil
    }

    private static func hue(_ sum: SIMD4<Float>) -> SIMD4<Float> {
        let largest = max(sum.x, sum.y, sum.z)
        let least = SIMD4(repeating: HighlightHues.least)
        var hue = largest > 0 ? pointwiseMin(pointwiseMax(sum / largest, least), .one) : .one
        hue.w = 1
        return hue
    }

    private static func neighbours(_ index: Int, _ across: Int, _ down: Int) -> [Int] {
        let (y, x) = index.quotientAndRemainder(dividingBy: across)
        var found: [Int] = []
        for row in max(y - 1, 0)...min(y + 1, down - 1) {
            for column in max(x - 1, 0)...min(x + 1, across - 1) where row != y || column != x {
                found.append(row * across + column)
            }
        }
        return found
    }
}

extension SIMD4<Float> {
    fileprivate static var one: Self { Self(repeating: 1) }
}
