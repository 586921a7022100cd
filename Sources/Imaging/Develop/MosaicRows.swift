import PictureFormat
import Pixels

/// A Bayer mosaic as square roots of balanced light (`RootScale`), two rows at a time, each pair split into its four half rows: red,
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
    /// Where light becomes roots.
    let scale: RootScale
    private let store: RootRows
    /// The light of a pair that has bright places.
    private let light: ScratchRows

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
        scale = RootScale(clip: levels.clip)
        store = RootRows(rows: 4 * Self.depth, count: count)
        light = ScratchRows(rows: 4, count: count)
    }

    /// Half row 0 red, 1 green beside red, 2 green beside blue, 3 blue; of a pair that was loaded.
    @inline(__always)
    func half(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Int16> {
        store.row(4 * (pair & (Self.depth - 1)) + index)
    }

    func load(_ pair: Int) {
        let upper = Self.reflect(2 * pair - leadY, crop.size.height)
        let lower = Self.reflect(2 * pair + 1 - leadY, crop.size.height)
        if max(peak(row: upper), peak(row: lower)) < levels.brightCount {
            let scale = scale
            load(row: upper, channels: (0, 1), into: half(0, pair), half(1, pair)) { scale.root($0) }
            load(row: lower, channels: (1, 2), into: half(2, pair), half(3, pair)) { scale.root($0) }
        } else {
            load(row: upper, channels: (0, 1), into: light.row(0), light.row(1)) { $0 }
            load(row: lower, channels: (1, 2), into: light.row(2), light.row(3)) { $0 }
            restore()
            encode(pair)
        }
    }

    private func encode(_ pair: Int) {
        for index in 0..<4 {
            scale.encode(
                light.row(index) - Self.margin, into: half(index, pair) - Self.margin, count: count + 2 * Self.margin)
        }
    }

    /// In pieces, because most of a row that has a bright place somewhere is as it should be.
    private func restore() {
        for start in stride(from: -Self.margin, to: count + Self.margin, by: Self.piece) {
            let length = min(Self.piece, count + Self.margin - start)
            let (r, g1, g2, b) = (
                light.row(0) + start, light.row(1) + start, light.row(2) + start, light.row(3) + start
            )
            if highlights.areNear(r, g1, g2, b, count: length) {
                highlights.restoreSquares(r, g1, g2, b, count: length)
            }
        }
    }

    private static let piece = 128

    /// The largest count in a row of the picture.
    private func peak(row y: Int) -> UInt16 {
        let line = samples + (crop.y + y) * strideSamples + crop.x
        var peak: UInt16 = 0
        for x in 0..<crop.size.width { peak = peak > line[x] ? peak : line[x] }
        return peak
    }

    /// Loads a row of the picture, by turns into one half row and the other.
    ///
    /// - Parameter form: what becomes of a sample's light.
    @inline(__always)
    private func load<Value>(
        row y: Int, channels: (Int, Int), into first: UnsafeMutablePointer<Value>,
        _ second: UnsafeMutablePointer<Value>, _ form: (Float) -> Value
    ) {
        if levels.black.repeatSize.width <= 2 {
            let whole = leadX..<((crop.size.width + leadX) / 2)
            loadPairs(row: y, channels: channels, into: first, second, whole, form)
            if leadX == 1 { second[0] = form(value(0, y, channels.1)) }
            if whole.upperBound < count { first[whole.upperBound] = form(value(crop.size.width - 1, y, channels.0)) }
        } else {
            for x in 0..<crop.size.width {
                let column = x + leadX
                if column & 1 == 0 {
                    first[column / 2] = form(value(x, y, channels.0))
                } else {
                    second[column / 2] = form(value(x, y, channels.1))
                }
            }
        }
        reflect(first, phase: 0)
        reflect(second, phase: 1)
    }

    /// Two samples at a time, as one number of 32 bits; black repeats every two samples or every one.
    @inline(__always)
    private func loadPairs<Value>(
        row y: Int, channels: (Int, Int), into first: UnsafeMutablePointer<Value>,
        _ second: UnsafeMutablePointer<Value>, _ range: Range<Int>, _ form: (Float) -> Value
    ) {
        let left = crop.x - leadX
        let line = UnsafeRawPointer(samples + ((crop.y + y) * strideSamples + left))
        let (scaleA, scaleB) = (levels.scale[channels.0], levels.scale[channels.1])
        let blackA = levels.blackLevel(x: left + 2, y: crop.y + y)
        let blackB = levels.blackLevel(x: left + 3, y: crop.y + y)
        for i in range {
            let pair = UInt32(littleEndian: line.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self))
            first[i] = form((Float(pair & 0xFFFF) - blackA) * scaleA)
            second[i] = form((Float(pair &>> 16) - blackB) * scaleB)
        }
    }

    /// The light of one sample of the picture.
    private func value(_ x: Int, _ y: Int, _ channel: Int) -> Float {
        let black = levels.blackLevel(x: crop.x + x, y: crop.y + y)
        return (Float(samples[(crop.y + y) * strideSamples + crop.x + x]) - black) * levels.scale[channel]
    }

    /// Fills a half row beyond the picture; `phase` is the column in the pair.
    private func reflect<Value>(_ half: UnsafeMutablePointer<Value>, phase: Int) {
        let first = leadX > phase ? 1 : 0
        let end = (crop.size.width + leadX - phase + 1) / 2
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
