import Pixels

/// Renders rows of light and writes them as 8-bit Y′CbCr where they lie in the upright picture.
///
/// Rows are worked on in the pairs that share chroma samples, in pieces that stay in the processor's first cache.
final class PictureSink: RowSink {
    /// Even, so that no square of pixels is cut.
    private static let piece = 512

    private let rendering: Rendering
    private let turn: Turn
    private let width: Int
    private let subsampling: ChromaSubsampling
    private let luma: TurnedPlane
    private let cb: TurnedPlane
    private let cr: TurnedPlane
    private let scratch = RowStore(rows: 6, count: PictureSink.piece)
    private var lastRow = 0
    private var lastChromaRow = 0

    /// - Parameter turn: made for the picture's size in the sensor's order.
    init(_ image: borrowing OutputImage, turn: Turn, rendering: Rendering) {
        self.rendering = rendering
        self.turn = turn
        subsampling = image.subsampling
        width = turn.sensorSize.width
        let divisor = image.subsampling == .quarter ? 2 : 1
        let chroma = PixelSize(
            width: (width + divisor - 1) / divisor, height: (turn.sensorSize.height + divisor - 1) / divisor)
        luma = TurnedPlane(image.luma, turn: turn, sensorSize: turn.sensorSize)
        cb = TurnedPlane(image.cb, turn: turn, sensorSize: chroma)
        cr = TurnedPlane(image.cr, turn: turn, sensorSize: chroma)
    }

    func take(_ y: Int, from rows: SceneRows) {
        if subsampling == .none { return finishRow(rows.row(y)) }
        let isLower = (y + turn.pairPhaseY) & 1 == 1
        if isLower {
            finishPair(rows.row(y > 0 ? y - 1 : y), rows.row(y))
        } else if y == turn.sensorSize.height - 1 {
            finishPair(rows.row(y), rows.row(y))
        }
    }

    func finish() {
        luma.flush(through: lastRow)
        cb.flush(through: lastChromaRow)
        cr.flush(through: lastChromaRow)
    }

    private func finishRow(_ row: PixelRow) {
        let y = luma.row(row.y)
        let u = cb.row(row.y)
        let v = cr.row(row.y)
        for start in stride(from: 0, to: width, by: Self.piece) {
            let part = render(row, from: start, to: min(start + Self.piece, width), slot: 0)
            LumaChroma.luma(part.red, part.green, part.blue, into: y + start, count: part.count)
            LumaChroma.chroma(part.red, part.green, part.blue, cb: u + start, cr: v + start, count: part.count)
        }
        complete(rows: row.y...row.y, chromaRow: row.y)
    }

    /// Two rows that share chroma samples; the same row twice where its partner lies outside the picture.
    private func finishPair(_ upper: PixelRow, _ lower: PixelRow) {
        let chromaRow = (lower.y + turn.pairPhaseY) / 2
        let u = cb.row(chromaRow)
        let v = cr.row(chromaRow)
        let upperLuma = luma.row(upper.y)
        let lowerLuma = luma.row(lower.y)
        let phase = turn.pairPhaseX
        for start in stride(from: -phase, to: width, by: Self.piece) {
            let end = min(start + Self.piece, width)
            let above = squares(upper, from: start, to: end, slot: 0, luma: upperLuma)
            let below = upper.y == lower.y ? above : squares(lower, from: start, to: end, slot: 3, luma: lowerLuma)
            let chroma = (start + phase) / 2
            LumaChroma.chromaOfSquares(
                upper: above, lower: below, cb: u + chroma, cr: v + chroma, count: above.count / 2)
        }
        complete(rows: upper.y...lower.y, chromaRow: chromaRow)
    }

    private func complete(rows: ClosedRange<Int>, chromaRow: Int) {
        luma.finish(from: rows.lowerBound, through: rows.upperBound)
        cb.finish(from: chromaRow, through: chromaRow)
        cr.finish(from: chromaRow, through: chromaRow)
        lastRow = rows.upperBound
        lastChromaRow = chromaRow
    }

    /// Renders columns `start..<end`, writes their luma, and returns an even number of pixels from `start` on: at the
    /// picture's edges a pixel without a partner is its own.
    private func squares(
        _ row: PixelRow, from start: Int, to end: Int, slot: Int, luma: UnsafeMutablePointer<UInt8>
    ) -> PixelRow {
        let inside = max(start, 0)
        let part = render(row, from: inside, to: end, slot: slot)
        LumaChroma.luma(part.red, part.green, part.blue, into: luma + inside, count: part.count)
        let lead = inside - start
        let count = (end - start + 1) & ~1
        for plane in [part.red, part.green, part.blue] {
            if lead == 1 { plane[-1] = plane[0] }
            if count > end - start { plane[part.count] = plane[part.count - 1] }
        }
        return PixelRow(
            red: part.red - lead, green: part.green - lead, blue: part.blue - lead, count: count, x: start, y: row.y)
    }

    private func render(_ row: PixelRow, from start: Int, to end: Int, slot: Int) -> PixelRow {
        let result = PixelRow(
            red: scratch.row(slot), green: scratch.row(slot + 1), blue: scratch.row(slot + 2), count: end - start,
            x: start, y: row.y)
        rendering.render(row.piece(from: start, count: end - start), into: result)
        return result
    }
}
