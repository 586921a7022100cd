import PictureFormat
package import Pixels

/// A Bayer mosaic as cube roots of balanced light (`FixedPointRoots`), a pair of rows at a time.
///
/// Each pair is split into four half rows (red, green beside red, green beside blue, blue), so that loops over a half
/// row are contiguous. Rows and columns are counted from a red sample, so the picture may start in the second row or
/// column of the first pair.
///
/// The picture is reflected about its outermost samples, which keeps the colours' positions. The sensor's margins are
/// not used, because many cameras mask them.
final class BayerRows {
    /// Pairs within reach of the interpolation, a power of two.
    private static let depth = 8
    /// Samples reflected at either end of a half row.
    private static let margin = 8
    /// Samples of a half row that are checked for highlights at once.
    private static let piece = 128

    /// Column and row of the first pair at which the picture starts: 0 or 1.
    let leadX: Int
    let leadY: Int
    let count: Int
    let roots: FixedPointRoots

    private let samples: SensorSamples
    private let crop: PixelRect
    private let levels: SampleLevels
    private let highlights: HighlightReconstruction
    private let store: Int16ScratchRows
    /// Stored pairs minus one.
    private let mask: Int
    /// Red and blue while they move to green's positions; nil to leave them.
    private let aligned: (red: AlignedRows, blue: AlignedRows)?
    /// With alignment, the pair to read next; nil before the first.
    private var next: Int?
    private let light: ScratchRows
    /// Gains of a pair's samples, by half row; empty for none.
    private let factors: ScratchRows

    /// Proves that the picture is not smaller than the 2 × 2 pattern, because reflection needs two samples: nil
    /// otherwise.
    ///
    /// - Parameters:
    ///   - samples: their plane must outlive the rows.
    ///   - alignment: alignment of this mosaic; nil to leave colours in place.
    init?(
        _ samples: SensorSamples, phase: BayerPhase, levels: SampleLevels, highlights: HighlightReconstruction,
        alignment: ColourAlignment? = nil
    ) {
        guard samples.crop.size.width >= 2, samples.crop.size.height >= 2, samples.samplesPerPixel == 1,
            alignment?.fits(samples.crop, phase) ?? true
        else { return nil }
        self.samples = samples
        crop = samples.crop
        self.levels = levels
        self.highlights = highlights
        leadX = (crop.x + phase.redX) & 1
        leadY = (crop.y + phase.redY) & 1
        count = (crop.size.width + leadX + 1) / 2
        roots = FixedPointRoots(clip: levels.clip)
        aligned = alignment.map { (AlignedRows($0.red), AlignedRows($0.blue)) }
        // Greens wait while red and blue are aligned.
        let depth = alignment == nil ? Self.depth : 2 * Self.depth
        mask = depth - 1
        store = Int16ScratchRows(rows: 4 * depth, count: count)
        light = ScratchRows(rows: 4, count: count)
        factors = ScratchRows(rows: 4, count: samples.gains == nil ? 0 : count)
    }

    /// A half row of a loaded pair: 0 red, 1 green beside red, 2 green beside blue, 3 blue.
    @inline(__always)
    func half(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Int16> {
        store.row(4 * (pair & mask) + index)
    }

    /// Pairs outside the picture are reflected.
    func load(_ pair: Int) {
        guard let aligned else { return read(pair) }
        let (red, blue) = (aligned.red.sources(pair), aligned.blue.sources(pair))
        var at = next ?? min(red.lowerBound, blue.lowerBound, pair)
        while at <= max(red.upperBound, blue.upperBound, pair) {
            read(at)
            aligned.red.stretch(at)
            aligned.blue.stretch(at)
            at += 1
        }
        next = at
        aligned.red.bend(pair, into: half(0, pair))
        aligned.blue.bend(pair, into: half(3, pair))
        reflect(half(0, pair), phase: 0)
        reflect(half(3, pair), phase: 1)
    }

    private func destination(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Int16> {
        guard let aligned, index == 0 || index == 3 else { return half(index, pair) }
        return index == 0 ? aligned.red.target : aligned.blue.target
    }

    private func read(_ pair: Int) {
        let upper = Self.reflect(2 * pair - leadY, crop.size.height)
        let lower = Self.reflect(2 * pair + 1 - leadY, crop.size.height)
        let width = crop.size.width
        let peak = max(samples.peak(row: upper, count: width), samples.peak(row: lower, count: width))
        if let gains = samples.gains {
            load(pair, upper: upper, lower: lower, peak: peak, gains)
        } else if peak < levels.highlightCount() {
            let roots = roots
            load(row: upper, channels: (0, 1), into: destination(0, pair), half(1, pair)) { light, _, _ in
                roots.root(light)
            }
            load(row: lower, channels: (1, 2), into: half(2, pair), destination(3, pair)) { light, _, _ in
                roots.root(light)
            }
        } else {
            load(row: upper, channels: (0, 1), into: light.row(0), light.row(1)) { light, _, _ in light }
            load(row: lower, channels: (1, 2), into: light.row(2), light.row(3)) { light, _, _ in light }
            reconstructHighlights(pair)
            encode(pair)
        }
    }

    private func encode(_ pair: Int) {
        for index in 0..<4 {
            roots.encode(
                light.row(index) - Self.margin, into: destination(index, pair) - Self.margin,
                count: count + 2 * Self.margin)
        }
    }

    /// Works in pieces, because most of a row with highlights has none.
    private func reconstructHighlights(_ pair: Int) {
        let y = crop.y + 2 * pair - leadY
        for start in stride(from: -Self.margin, to: count + Self.margin, by: Self.piece) {
            let length = min(Self.piece, count + Self.margin - start)
            let (r, g1, g2, b) = (
                light.row(0) + start, light.row(1) + start, light.row(2) + start, light.row(3) + start
            )
            if highlights.areNear(r, g1, g2, b, count: length) {
                let x = crop.x - leadX + 2 * start
                highlights.restoreSquares(r, g1, g2, b, x: x, y: y, count: length)
            }
        }
    }
}

// MARK: - Loading

extension BayerRows {
    /// Loads a row of the picture, alternately into two half rows. `form` converts a sample's light, by index in its
    /// half row and index of the half row (0 or 1).
    @inline(__always)
    private func load<Value>(
        row y: Int, channels: (Int, Int), into first: UnsafeMutablePointer<Value>,
        _ second: UnsafeMutablePointer<Value>, _ form: (Float, Int, Int) -> Value
    ) {
        if levels.black.repeatSize.width <= 2 {
            let whole = leadX..<((crop.size.width + leadX) / 2)
            loadPairs(row: y, channels: channels, into: first, second, whole, form)
            if leadX == 1 { second[0] = form(light(0, y, channels.1), 0, 1) }
            if whole.upperBound < count {
                first[whole.upperBound] = form(light(crop.size.width - 1, y, channels.0), whole.upperBound, 0)
            }
        } else {
            for x in 0..<crop.size.width {
                let column = x + leadX
                if column & 1 == 0 {
                    first[column / 2] = form(light(x, y, channels.0), column / 2, 0)
                } else {
                    second[column / 2] = form(light(x, y, channels.1), column / 2, 1)
                }
            }
        }
        reflect(first, phase: 0)
        reflect(second, phase: 1)
    }

    /// Loads two samples at a time as a 32-bit integer, for black levels that repeat every one or two columns.
    @inline(__always)
    private func loadPairs<Value>(
        row y: Int, channels: (Int, Int), into first: UnsafeMutablePointer<Value>,
        _ second: UnsafeMutablePointer<Value>, _ range: Range<Int>, _ form: (Float, Int, Int) -> Value
    ) {
        let left = crop.x - leadX
        let line = UnsafeRawPointer(samples.row(y) - leadX)
        let (scaleA, scaleB) = (levels.scale[channels.0], levels.scale[channels.1])
        let blackA = levels.blackLevel(x: left + 2, y: crop.y + y)
        let blackB = levels.blackLevel(x: left + 3, y: crop.y + y)
        for i in range {
            let pair = UInt32(littleEndian: line.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self))
            first[i] = form((Float(pair & 0xFFFF) - blackA) * scaleA, i, 0)
            second[i] = form((Float(pair &>> 16) - blackB) * scaleB, i, 1)
        }
    }

    private func light(_ x: Int, _ y: Int, _ channel: Int) -> Float {
        let black = levels.blackLevel(x: crop.x + x, y: crop.y + y)
        return (Float(samples.row(y)[x]) - black) * levels.scale[channel]
    }

    /// Fills a half row beyond the picture; `phase` is its column in a pair.
    private func reflect<Value>(_ half: UnsafeMutablePointer<Value>, phase: Int) {
        let first = leadX > phase ? 1 : 0
        let end = (crop.size.width + leadX - phase + 1) / 2
        for i in -Self.margin..<first { half[i] = half[inside(i, phase)] }
        for i in end..<(count + Self.margin) { half[i] = half[inside(i, phase)] }
    }

    /// The index inside the picture that replaces index `i` of a half row.
    private func inside(_ i: Int, _ phase: Int) -> Int {
        (Self.reflect(2 * i + phase - leadX, crop.size.width) + leadX - phase) / 2
    }

    /// Reflects about the first and the last of at least two samples, which keeps odd and even apart.
    private static func reflect(_ index: Int, _ count: Int) -> Int {
        var i = index
        while i < 0 || i >= count {
            if i < 0 { i = -i }
            if i >= count { i = 2 * (count - 1) - i }
        }
        return i
    }
}

// MARK: - Factors

extension BayerRows {
    /// Loads a pair of rows with gains. Saturation is found in the original samples: values above it are clipped, so
    /// that burnt areas are even.
    private func load(_ pair: Int, upper: Int, lower: Int, peak: UInt16, _ gains: GainRows) {
        var bound: Float = 1
        for index in 0..<4 {
            let columns = GainRows.Columns(first: crop.x - leadX + index & 1, step: 2, count: count)
            let y = crop.y + (index < 2 ? upper : lower)
            bound = max(bound, gains.fill(factors.row(index), columns, y: y, channel: (index + 1) / 2))
        }
        if peak < levels.highlightCount(gain: bound) {
            let roots = roots
            loadGained(row: upper, half: 0, into: destination(0, pair), half(1, pair)) { roots.root($0) }
            loadGained(row: lower, half: 2, into: half(2, pair), destination(3, pair)) { roots.root($0) }
        } else {
            loadGained(row: upper, half: 0, into: light.row(0), light.row(1)) { $0 }
            loadGained(row: lower, half: 2, into: light.row(2), light.row(3)) { $0 }
            reconstructHighlights(pair)
            encode(pair)
        }
    }

    /// `half` is the index of the row's first half row: 0 or 2.
    @inline(__always)
    private func loadGained<Value>(
        row y: Int, half index: Int, into first: UnsafeMutablePointer<Value>, _ second: UnsafeMutablePointer<Value>,
        _ form: (Float) -> Value
    ) {
        let channels = (index / 2, index / 2 + 1)
        let (factorsA, factorsB) = (factors.row(index), factors.row(index + 1))
        let (clipA, clipB) = (levels.clip[channels.0], levels.clip[channels.1])
        load(row: y, channels: channels, into: first, second) { light, i, half in
            let gained = light * (half == 0 ? factorsA[i] : factorsB[i])
            let clip = half == 0 ? clipA : clipB
            return form(gained < clip ? gained : clip)
        }
    }
}

/// Position of red in the 2 × 2 Bayer pattern.
package struct BayerPhase: Equatable, Sendable {
    let redX: Int
    let redY: Int

    /// Nil unless red and blue are on one diagonal and green on the other.
    package init?(_ pattern: [CFAColour]) {
        guard pattern.count == 4, let red = pattern.firstIndex(of: .red), pattern[3 - red] == .blue,
            pattern[red ^ 1] == .green, pattern[red ^ 2] == .green
        else { return nil }
        redX = red & 1
        redY = red >> 1
    }
}
