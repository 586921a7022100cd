import CCubic
import PictureFormat
import Pixels

/// The rows of a source, stretched along their direction: the first step of a warp. Keeps as many as the second needs.
final class WarpRows {
    /// Samples on either side of a row that repeat its ends.
    private static let margin = 128
    private static let beyond = Int(RAWMILL_ROWS_BEYOND)

    let field: WarpField
    /// Rows to fill with a pair of the source's: red, green and blue of the upper, then of the lower one.
    private let loaded: Int16ScratchRows
    private let stretched: Int16ScratchRows
    /// By row of the source, from `beyond` before it to as many after it: where it lies among those kept, in samples.
    private let places: UnsafeMutablePointer<Int>
    private let offsets: UnsafeMutablePointer<Int32>

    init(_ field: WarpField) {
        self.field = field
        let depth = field.reach + 4
        loaded = Int16ScratchRows(rows: 6, count: field.source.width + 2 * Self.margin)
        stretched = Int16ScratchRows(rows: 3 * depth, count: field.size.width)
        let height = field.source.height
        places = .allocate(capacity: height + 2 * Self.beyond)
        for y in -Self.beyond..<height + Self.beyond {
            places[y + Self.beyond] = min(max(y, 0), height - 1) % depth * 3 * stretched.strideSamples
        }
        offsets = .allocate(capacity: field.columns)
    }

    deinit {
        offsets.deallocate()
        places.deallocate()
    }

    /// A row to fill with the source's: `row` 0 or 1 of its pair.
    func target(_ row: Int, channel: Int) -> UnsafeMutablePointer<Int16> {
        loaded.row(3 * row + channel) + Self.margin
    }

    /// Stretches row `y` of the source, which was filled as `row` of its pair.
    func stretch(_ y: Int, row: Int) {
        for channel in 0..<3 { repeatEnds(target(row, channel: channel)) }
        let source = UnsafePointer(target(row, channel: 0))
        let target = stretched.row(0) + places[y + Self.beyond]
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

    private func stretch(
        _ source: UnsafePointer<Int16>, into target: UnsafeMutablePointer<Int16>, channels: Int32
    ) {
        let (stride, width) = (loaded.strideSamples, field.source.width)
        let cells = (field.size.width + WarpField.cell - 1) / WarpField.cell
        // Each number of channels has a loop of its own.
        if channels == 3 {
            rawmill_stretch(source, stride, width, offsets, cells, target, stretched.strideSamples, 3)
        } else {
            rawmill_stretch(source, stride, width, offsets, cells, target, stretched.strideSamples, 1)
        }
    }

    /// Interpolates a row of the picture between stretched rows, its even and its odd columns apart.
    ///
    /// - Parameters:
    ///   - cells: those that are made; the rows begin with the first of them.
    ///   - y: row of the picture.
    ///   - offsets: of the rows that it comes from.
    ///   - channels: those that share the offsets.
    ///   - odd: of the first channel's; others lie `stride` behind, as do those of `even`.
    func bend(
        _ cells: Range<Int>, _ y: Int, _ offsets: UnsafePointer<Int32>, channels: Range<Int>,
        even: UnsafeMutablePointer<Int16>, odd: UnsafeMutablePointer<Int16>, stride: Int
    ) {
        let (samples, distance) = (stretched.row(channels.lowerBound), stretched.strideSamples)
        let (first, end, height) = (cells.lowerBound, cells.upperBound, field.source.height)
        if channels.count == 3 {
            rawmill_bend(samples, distance, places, y, height, offsets, first, end, even, odd, stride, 3)
        } else {
            rawmill_bend(samples, distance, places, y, height, offsets, first, end, even, odd, stride, 1)
        }
    }
}
