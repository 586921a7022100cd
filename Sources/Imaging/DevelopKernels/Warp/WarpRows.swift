import CCubic
import PictureFormat
import Pixels

/// The rows of a source, stretched along their direction: the first step of a warp. Keeps as many as the second needs.
final class WarpRows {
    /// Samples on either side of a row that repeat its ends.
    private static let margin = 64

    let field: WarpField
    /// Rows to fill with a pair of the source's: red, green and blue of the upper, then of the lower one.
    private let loaded: Int16ScratchRows
    private let stretched: Int16ScratchRows
    /// By row of the source, from one before it to two after it: where it lies among those kept, in samples.
    private let places: UnsafeMutablePointer<Int>
    private let offsets: UnsafeMutablePointer<Int32>
    let weights: WarpWeights

    init(_ field: WarpField) {
        self.field = field
        let depth = field.reach + 4
        loaded = Int16ScratchRows(rows: 6, count: field.source.width)
        stretched = Int16ScratchRows(rows: 3 * depth, count: field.size.width)
        let height = field.source.height
        places = .allocate(capacity: height + 3)
        for y in -1..<height + 2 { places[y + 1] = min(max(y, 0), height - 1) % depth * 3 * stretched.strideSamples }
        offsets = .allocate(capacity: field.columns)
        weights = WarpWeights()
    }

    deinit {
        offsets.deallocate()
        places.deallocate()
    }

    /// A row to fill with the source's: `row` 0 or 1 of its pair.
    func target(_ row: Int, channel: Int) -> UnsafeMutablePointer<Int16> { loaded.row(3 * row + channel) }

    /// Red of a stretched row of the source; green and blue lie `stride` and twice that behind it. Rows beyond the picture
    /// repeat its first or last one.
    ///
    /// - Parameter y: not beyond those kept.
    @inline(__always)
    func row(_ y: Int) -> UnsafePointer<Int16> {
        UnsafePointer(stretched.row(0)) + places[min(max(y, -1), field.source.height) + 1]
    }

    /// Samples from a stretched row's red to its green.
    var stride: Int { stretched.strideSamples }

    /// Stretches row `y` of the source, which was filled as `row` of its pair.
    func stretch(_ y: Int, row: Int) {
        for channel in 0..<3 { repeatEnds(loaded.row(3 * row + channel)) }
        let source = UnsafePointer(loaded.row(3 * row))
        let target = stretched.row(0) + places[y + 1]
        field.across(0, y, into: offsets)
        if field.planes == 1 { return stretch(source, into: target, channels: 3) }
        for channel in 0..<3 {
            if channel > 0 { field.across(channel, y, into: offsets) }
            stretch(
                source + channel * loaded.strideSamples, into: target + channel * stretched.strideSamples, channels: 1)
        }
    }

    private func repeatEnds(_ row: UnsafeMutablePointer<Int16>) {
        let end = row + field.source.width
        (row - Self.margin).update(repeating: row[0], count: Self.margin)
        end.update(repeating: end[-1], count: Self.margin)
    }

    @inline(__always)
    private func stretch(
        _ source: UnsafePointer<Int16>, into target: UnsafeMutablePointer<Int16>, channels: Int32
    ) {
        let (width, stride, targetStride) = (field.source.width, loaded.strideSamples, stretched.strideSamples)
        for cell in 0..<field.columns / 2 {
            let x = cell * WarpField.cell
            weights.interpolate(
                offsets + 2 * cell, stride: stride, into: target + x, targetStride: targetStride, channels: channels,
                isBounded: true
            ) { whole, index in
                // Beyond its ends the row repeats them, so that it makes no difference how far.
                source + min(max(x + whole, -48), width + 24) + index
            }
        }
    }
}

/// Interpolates between rows, cell by cell.
final class WarpWeights {
    /// Whole pixels by which the pixels of a cell may differ at most: a grid's points differ by 7.
    private static let maxSteps = 16

    private let values: UnsafeMutablePointer<Int16>
    private let beyond: UnsafeMutablePointer<Int16>
    private let rows: UnsafeMutablePointer<UnsafePointer<Int16>?>

    init() {
        values = .allocate(capacity: RAWMILL_CUBIC_WEIGHTS)
        beyond = .allocate(capacity: WarpField.cell)
        rows = .allocate(capacity: Self.maxSteps + 4)
    }

    deinit {
        values.deallocate()
        beyond.deallocate()
        rows.deallocate()
    }

    /// Makes a cell's pixels.
    ///
    /// - Parameters:
    ///   - ends: offsets at the cell's first, ninth and seventeenth pixel.
    ///   - stride: samples from one channel of the rows to the next; `targetStride` likewise.
    ///   - isBounded: whether pixels have to be roots themselves; else they may lie a little outside.
    ///   - row: the samples that lie the given whole pixels, and so many more, before or behind the cell's own.
    @inline(__always)
    func interpolate(
        _ ends: UnsafePointer<Int32>, stride: Int, into target: UnsafeMutablePointer<Int16>, targetStride: Int,
        channels: Int32, isBounded: Bool, _ row: (_ whole: Int, _ index: Int) -> UnsafePointer<Int16>
    ) {
        let least = min(ends[0], min(ends[1], ends[2])) >> 16
        let most = max(ends[0], max(ends[1], ends[2])) >> 16
        rawmill_cubic_weights(ends, values)
        let whole = Int(least)
        for index in 0..<4 { rows[index] = row(whole, index - 1) }
        switch Int32(truncatingIfNeeded: min(Int(most - least), Self.maxSteps)) {
        case 0:
            rawmill_cubic(rows, 0, beyond, stride, values, target, targetStride, channels, isBounded ? 1 : 0)
        case 1:
            rows[4] = row(whole, 3)
            rawmill_cubic_steps(ends, least, beyond)
            rawmill_cubic(rows, 1, beyond, stride, values, target, targetStride, channels, isBounded ? 1 : 0)
        case let steps:
            for index in 4..<4 + Int(steps) { rows[index] = row(whole, index - 1) }
            rawmill_cubic_steps(ends, least, beyond)
            rawmill_cubic(rows, steps, beyond, stride, values, target, targetStride, channels, isBounded ? 1 : 0)
        }
    }
}
