import PictureFormat
import Pixels

/// Writes rows of one 8-bit plane in the sensor's order to where they lie upright.
///
/// Several of them may write disjoint rows of one plane at once. Where axes swap, rows are gathered in a strip and
/// turned together, so that the plane is written in whole lines of the cache, and past it.
///
/// The plane may be lower than the picture: then its rows are those of the picture modulo its height.
final class TurnedPlane {
    /// As many as fill a line of the processor's cache.
    private static let stripRows = 1 << blockShift
    private static let blockShift = 6

    private let target: UnsafeMutablePointer<UInt8>
    private let strideBytes: Int
    private let planeHeight: Int
    private let turn: Turn
    /// Width and height in the sensor's order.
    private let width: Int
    private let height: Int
    private let strip: UnsafeMutablePointer<UInt8>
    /// Some columns of the strip, each as it will lie in a row of the plane.
    private let runs: UnsafeMutablePointer<UInt8>
    private static let runStride = 2 * stripRows
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
        runs = .allocate(capacity: ByteSquare.edge * Self.runStride)
    }

    deinit {
        strip.deallocate()
        runs.deallocate()
    }

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
            if let start = stripStart, block(rows.upperBound) != block(start) {
                turnStrip(through: rows.upperBound - 1)
            }
        } else if turn.flipsX {
            for row in rows { reverse(row) }
        }
    }

    /// Writes what is still in the strip.
    func flush(through y: Int) {
        if turn.swapsAxes, stripStart != nil { turnStrip(through: y) }
        StreamingStores.fence()
    }

    /// Which line of the cache a row becomes a part of, counted from the begin of the plane's rows.
    private func block(_ y: Int) -> Int { (turn.flipsY ? height - 1 - y : y) >> Self.blockShift }

    /// The plane's line that row `y` of an unswapped picture becomes.
    private func line(_ y: Int) -> UnsafeMutablePointer<UInt8> {
        target + (turn.flipsY ? height - 1 - y : y) % planeHeight * strideBytes
    }

    private func reverse(_ y: Int) {
        let to = line(y) + (width - 1)
        let from = strip + (y & 1) * stripStride
        for x in 0..<width { to[-x] = from[x] }
    }

    /// Squares of bytes at a time, and then each of their columns as a run.
    private func turnStrip(through y: Int) {
        guard let start = stripStart else { return }
        let count = y - start + 1
        let left = turn.flipsY ? height - 1 - y : start
        for x in stride(from: 0, to: width, by: ByteSquare.edge) {
            let columns = min(ByteSquare.edge, width - x)
            turnColumns(x..<x + columns, rows: count)
            for column in 0..<columns {
                let line = turn.flipsX ? width - 1 - x - column : x + column
                StreamingStores.copy(
                    runs + column * Self.runStride, to: target + line * strideBytes + left, byteCount: count)
            }
        }
        stripStart = nil
    }

    /// Turns some columns of the strip, as many as a square has or fewer, into runs.
    private func turnColumns(_ columns: Range<Int>, rows count: Int) {
        let edge = ByteSquare.edge
        let whole = columns.count == edge ? count - count % edge : 0
        for row in stride(from: 0, to: whole, by: edge) {
            // Bytes of a run ascend: where they lie backwards, the last row is read first.
            let first = turn.flipsY ? row + edge - 1 : row
            ByteSquare.turn(
                strip + first * stripStride + columns.lowerBound, turn.flipsY ? -stripStride : stripStride,
                to: runs + (turn.flipsY ? count - 1 - first : first), Self.runStride)
        }
        for row in whole..<count {
            for (column, x) in columns.enumerated() {
                runs[column * Self.runStride + (turn.flipsY ? count - 1 - row : row)] = strip[row * stripStride + x]
            }
        }
    }
}
