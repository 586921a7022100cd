import Pixels

/// A Bayer mosaic as square roots of balanced light, two rows at a time, each pair split into its four half rows: red,
/// green beside red, green beside blue, blue. Every loop over a half row is then contiguous.
///
/// The mosaic is counted from a red sample, so the picture may begin in the second row or column of the first pair.
/// Beyond its edges the picture is reflected about its outermost samples, which keeps the colours' places. (The
/// sensor's margins are not used: on many cameras they are masked.)
final class MosaicRows {
    /// Pairs kept: what the interpolation looks back and ahead.
    static let depth = 8
    /// Samples reflected at either end of a half row.
    private static let margin = 8

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
        if peak(row: upper) >= levels.brightCount || peak(row: lower) >= levels.brightCount { restore(pair) }
        for index in 0..<4 {
            RootCoding.encode(half(index, pair) - Self.margin, count: count + 2 * Self.margin)
        }
    }

    private func restore(_ pair: Int) {
        let margin = Self.margin
        highlights.restoreSquares(
            half(0, pair) - margin, half(1, pair) - margin, half(2, pair) - margin, half(3, pair) - margin,
            count: count + 2 * margin)
    }

    /// The largest count in a row of the picture.
    private func peak(row y: Int) -> UInt16 {
        let line = samples + (crop.y + y) * strideSamples + crop.x
        var peak: UInt16 = 0
        for x in 0..<crop.size.width { peak = peak > line[x] ? peak : line[x] }
        return peak
    }

    /// Loads every second sample of a row of the picture; `phase` is the column in the pair.
    private func load(row y: Int, phase: Int, channel: Int, into half: UnsafeMutablePointer<Float>) {
        let scale = levels.scale[channel]
        let first = leadX > phase ? 1 : 0
        let end = (crop.size.width + leadX - phase + 1) / 2
        let left = crop.x - leadX + phase
        let line = samples + (crop.y + y) * strideSamples + left
        let period = levels.black.repeatSize.width
        if period <= 2 {
            let black = levels.blackLevel(x: left + 2 * first, y: crop.y + y)
            for i in first..<end { half[i] = (Float(line[2 * i]) - black) * scale }
        } else {
            for start in first..<min(first + period, max(end, first)) {
                let black = levels.blackLevel(x: left + 2 * start, y: crop.y + y)
                for i in stride(from: start, to: end, by: period) { half[i] = (Float(line[2 * i]) - black) * scale }
            }
        }
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
