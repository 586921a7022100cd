import Pixels

/// A Bayer mosaic as balanced light, two rows at a time, each pair split into its four half rows: red, green beside
/// red, green beside blue, blue. Every loop over a half row is then contiguous.
///
/// The mosaic is counted from a red sample, so the picture may begin in the second row or column of the first pair.
/// Beyond its edges the picture is reflected about its outermost samples, which keeps the colours' places.
final class MosaicRows {
    /// Pairs kept: what the interpolation looks back and ahead.
    static let depth = 8

    /// Row and column of the first pair that the picture begins at: 0 or 1.
    let leadX: Int
    let leadY: Int
    /// Samples in a half row.
    let count: Int

    private let samples: UnsafePointer<UInt16>
    private let strideSamples: Int
    private let crop: PixelRect
    private let levels: SampleLevels
    private let highlights: Highlights
    private let store: RowStore

    /// The plane has to outlive the rows.
    init(_ image: borrowing SensorImage, phase: BayerPhase, levels: SampleLevels) {
        samples = UnsafePointer(image.plane.row(0))
        strideSamples = image.plane.strideSamples
        crop = image.facts.crop
        self.levels = levels
        highlights = Highlights(clip: levels.clip)
        leadX = (crop.x + phase.redX) & 1
        leadY = (crop.y + phase.redY) & 1
        count = (crop.size.width + leadX + 1) / 2
        store = RowStore(rows: 4 * Self.depth, count: count)
    }

    /// Half row 0 red, 1 green beside red, 2 green beside blue, 3 blue; of a pair that was loaded.
    @inline(__always)
    func half(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        store.row(4 * (pair & (Self.depth - 1)) + index)
    }

    func load(_ pair: Int) {
        let upper = Self.reflect(2 * pair - leadY, crop.size.height)
        let lower = Self.reflect(2 * pair + 1 - leadY, crop.size.height)
        load(row: upper, phase: 0, channel: 0, into: half(0, pair))
        load(row: upper, phase: 1, channel: 1, into: half(1, pair))
        load(row: lower, phase: 0, channel: 1, into: half(2, pair))
        load(row: lower, phase: 1, channel: 2, into: half(3, pair))
        let margin = Self.margin
        highlights.restoreSquares(
            half(0, pair) - margin, half(1, pair) - margin, half(2, pair) - margin, half(3, pair) - margin,
            count: count + 2 * margin)
    }

    /// Samples reflected at either end of a half row.
    private static let margin = 6

    /// Loads every second sample of a row of the picture; `phase` is the column in the pair.
    private func load(row y: Int, phase: Int, channel: Int, into half: UnsafeMutablePointer<Float>) {
        let line = samples + (crop.y + y) * strideSamples
        let scale = levels.scale[channel]
        let first = leadX > phase ? 1 : 0
        let end = (crop.size.width + leadX - phase + 1) / 2
        let left = crop.x - leadX + phase
        let period = levels.black.repeatSize.width
        let step = period <= 2 ? 1 : period
        for start in first..<min(first + step, max(end, first)) {
            let black = levels.blackLevel(x: left + 2 * start, y: crop.y + y)
            if step == 1 {
                let from = line + left
                for i in start..<end {
                    let value = (Float(from[2 * i]) - black) * scale
                    half[i] = value > 0 ? value : 0
                }
            } else {
                for i in stride(from: start, to: end, by: step) {
                    let value = (Float(line[left + 2 * i]) - black) * scale
                    half[i] = value > 0 ? value : 0
                }
            }
        }
        reflectEnds(of: half, phase: phase, first: first, end: end)
    }

    private func reflectEnds(of half: UnsafeMutablePointer<Float>, phase: Int, first: Int, end: Int) {
        for i in -Self.margin..<first { half[i] = half[inside(i, phase)] }
        for i in end..<(count + Self.margin) { half[i] = half[inside(i, phase)] }
    }

    /// The half row's index inside the picture that stands for index `i`.
    private func inside(_ i: Int, _ phase: Int) -> Int {
        (Self.reflect(2 * i + phase - leadX, crop.size.width) + leadX - phase) / 2
    }

    /// Reflects about the first and last of `count` samples (at least two), which keeps odd and even apart.
    private static func reflect(_ index: Int, _ count: Int) -> Int {
        var i = index
        while i < 0 || i >= count {
            if i < 0 { i = -i }
            if i >= count { i = 2 * (count - 1) - i }
        }
        return i
    }
}
