import CCubic
import PictureFormat
import Pixels

/// Source rows, stretched along their direction: the first step of a warp. Keeps as many as the second step needs.
final class WarpRows {
    enum Content {
        /// A picture's three channels, a pair of rows at a time; stretched rows have even columns first in each cell.
        case picture
        /// One channel, a row at a time, in reading order.
        case samples

        fileprivate var channels: Int { self == .picture ? 3 : 1 }
        fileprivate var rows: Int { self == .picture ? 2 : 1 }
    }

    /// Samples on either side of a row that repeat its ends.
    private static let margin = 128
    private static let beyond = Int(RAWMILL_ROWS_BEYOND)

    let field: WarpField
    private let content: Content
    /// Buffers for source rows: red, green and blue of a pair's upper row, then of the lower one.
    private let loaded: Int16ScratchRows
    private let stretched: Int16ScratchRows
    /// Position of each source row among the stored ones, in samples, from `beyond` rows before the source to as many
    /// after it.
    private let places: UnsafeMutablePointer<Int>
    private let offsets: UnsafeMutablePointer<Int32>

    init(_ field: WarpField, _ content: Content = .picture) {
        self.field = field
        self.content = content
        let (depth, channels) = (field.reach + 4, content.channels)
        loaded = Int16ScratchRows(rows: channels * content.rows, count: field.source.width + 2 * Self.margin)
        stretched = Int16ScratchRows(rows: channels * depth, count: field.size.width)
        let height = field.source.height
        places = .allocate(capacity: height + 2 * Self.beyond)
        for y in -Self.beyond..<height + Self.beyond {
            places[y + Self.beyond] = min(max(y, 0), height - 1) % depth * channels * stretched.strideSamples
        }
        offsets = .allocate(capacity: field.columns)
    }

    deinit {
        offsets.deallocate()
        places.deallocate()
    }

    /// Buffer for a source row: `row` 0 or 1 of its pair.
    func target(_ row: Int, channel: Int) -> UnsafeMutablePointer<Int16> {
        loaded.row(content.channels * row + channel) + Self.margin
    }

    /// Stretches source row `y`, which is in the buffer as `row` of its pair.
    func stretch(_ y: Int, row: Int) {
        for channel in 0..<content.channels { repeatEnds(target(row, channel: channel)) }
        let source = UnsafePointer(target(row, channel: 0))
        let target = stretched.row(0) + places[y + Self.beyond]
        field.across(0, y, into: offsets)
        if field.planes == 1 { return stretch(source, into: target, channels: content.channels) }
        for channel in 0..<content.channels {
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
        _ source: UnsafePointer<Int16>, into target: UnsafeMutablePointer<Int16>, channels: Int
    ) {
        let (stride, width) = (loaded.strideSamples, field.source.width)
        // Each form has a separate loop.
        if content == .samples {
            rawmill_stretch(source, stride, width, offsets, cells, target, stretched.strideSamples, 1, 0)
        } else if channels == 3 {
            rawmill_stretch(source, stride, width, offsets, cells, target, stretched.strideSamples, 3, 1)
        } else {
            rawmill_stretch(source, stride, width, offsets, cells, target, stretched.strideSamples, 1, 1)
        }
    }

    private var cells: Int { (field.size.width + WarpField.cell - 1) / WarpField.cell }

    /// Interpolates row `y` of the `picture` between stretched rows, with even and odd columns apart. The result starts
    /// with the first of `cells`. The offsets are those of the source rows, which all `channels` share; `odd` and
    /// `even` are for the first channel, and the others are `stride` apart.
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

    /// Interpolates row `y` of `samples` between stretched rows, in whole cells. `offsets` are those of the source
    /// rows.
    func bend(_ y: Int, _ offsets: UnsafePointer<Int32>, into row: UnsafeMutablePointer<Int16>) {
        rawmill_bend_in_order(stretched.row(0), places, y, field.source.height, offsets, cells, row)
    }
}
