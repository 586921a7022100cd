import Pixels

/// Writes rows of one 8-bit plane in the sensor's order to where they lie upright.
///
/// Several of them may write disjoint rows of one plane at once. Where axes swap, rows are gathered in a strip and
/// turned together, so that the plane is written in runs rather than byte by byte.
///
/// The plane may be lower than the picture: then its rows are those of the picture modulo its height.
final class TurnedPlane {
    /// As many as fill a line of the processor's cache.
    private static let stripRows = 64

    private let target: UnsafeMutablePointer<UInt8>
    private let strideBytes: Int
    private let planeHeight: Int
    private let turn: Turn
    /// Width and height in the sensor's order.
    private let width: Int
    private let height: Int
    private let strip: UnsafeMutablePointer<UInt8>
    private let stripStride: Int
    /// Sensor row of the strip's first row, nil where the strip is empty.
    private var stripStart: Int?

    /// - Parameter sensorSize: the plane's size before turning.
    init(_ plane: borrowing Plane<UInt8>, turn: Turn, sensorSize: PixelSize) {
        target = plane.row(0)
        strideBytes = plane.strideSamples
        planeHeight = plane.height
        self.turn = turn
        width = sensorSize.width
        height = sensorSize.height
        // An odd number of cache lines: rows one below the other do not fall into the same few places of the cache.
        stripStride = ((sensorSize.width + 63) / 64 | 1) * 64
        let rows = turn.swapsAxes ? Self.stripRows + 1 : (turn.flipsX ? 2 : 0)
        strip = .allocate(capacity: stripStride * rows)
    }

    deinit { strip.deallocate() }

    /// Where to write `width` bytes of the sensor's row `y`. Rows come in ascending order without gaps, and at most
    /// two are open at once.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
        if turn.swapsAxes {
            let start = stripStart ?? y
            stripStart = start
            return strip + (y - start) * stripStride
        }
        return turn.flipsX ? strip + (y & 1) * stripStride : line(y)
    }

    /// These rows, one or two, are written.
    func finish(_ rows: Range<Int>) {
        if turn.swapsAxes {
            if let start = stripStart, rows.upperBound - start >= Self.stripRows {
                turnStrip(through: rows.upperBound - 1)
            }
        } else if turn.flipsX {
            for row in rows { reverse(row) }
        }
    }

    /// Writes what is still in the strip.
    func flush(through y: Int) {
        if turn.swapsAxes, stripStart != nil { turnStrip(through: y) }
    }

    /// The plane's line that row `y` of an unswapped picture becomes.
    private func line(_ y: Int) -> UnsafeMutablePointer<UInt8> {
        target + (turn.flipsY ? height - 1 - y : y) % planeHeight * strideBytes
    }

    private func reverse(_ y: Int) {
        let to = line(y) + (width - 1)
        let from = strip + (y & 1) * stripStride
        for x in 0..<width { to[-x] = from[x] }
    }

    private func turnStrip(through y: Int) {
        guard let start = stripStart else { return }
        let count = y - start + 1
        let (columns, rows) = (width - width % ByteSquare.edge, count - count % ByteSquare.edge)
        for x in stride(from: 0, to: columns, by: ByteSquare.edge) {
            for row in stride(from: 0, to: rows, by: ByteSquare.edge) { turnSquare(x, row, start) }
        }
        turnBytes(0..<width, rows..<count, start)
        turnBytes(columns..<width, 0..<rows, start)
        stripStart = nil
    }

    /// Where the strip's sample goes.
    private func place(_ x: Int, _ row: Int, _ start: Int) -> UnsafeMutablePointer<UInt8> {
        let y = start + row
        return target + (turn.flipsX ? width - 1 - x : x) * strideBytes + (turn.flipsY ? height - 1 - y : y)
    }

    private func turnSquare(_ x: Int, _ row: Int, _ start: Int) {
        // Bytes of a row come in ascending order: where they lie backwards, the last row is read first.
        let first = turn.flipsY ? row + ByteSquare.edge - 1 : row
        ByteSquare.turn(
            strip + first * stripStride + x, turn.flipsY ? -stripStride : stripStride,
            to: place(x, first, start), turn.flipsX ? -strideBytes : strideBytes)
    }

    private func turnBytes(_ columns: Range<Int>, _ rows: Range<Int>, _ start: Int) {
        for x in columns {
            for row in rows { place(x, row, start).pointee = strip[row * stripStride + x] }
        }
    }
}
