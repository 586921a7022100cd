import PictureFormat
import PixelKernels
import Pixels

/// Writes rows of an 8-bit plane from the sensor's order to the upright picture.
///
/// Several writers may write disjoint rows of a plane at once. If axes are swapped, rows are collected in a strip and
/// transposed together, so that whole cache lines of the plane are written, past the caches. In a plane lower than the
/// picture, row `y` of the picture is row `y` modulo the plane's height.
final class OrientedPlaneWriter {
    /// Rows of a strip: as many as a cache line has bytes.
    private static let stripRows = 1 << blockShift
    private static let blockShift = 6

    private let target: UnsafeMutablePointer<UInt8>
    private let strideBytes: Int
    private let planeHeight: Int
    private let transform: OrientationTransform
    /// In the sensor's order.
    private let width: Int
    private let height: Int
    /// Rows in the sensor's order that are not yet in the plane.
    private let strip: UnsafeMutablePointer<UInt8>
    /// Eight columns of the strip, each as a run of bytes of a plane row.
    private let runs: UnsafeMutablePointer<UInt8>
    private static let runStride = 2 * stripRows
    private let stripStride: Int
    /// First sensor row of the strip; nil if it is empty.
    private var stripStart: Int?

    /// Nil unless the plane, which must outlive the writer, has the size of the upright picture, or, without swapped
    /// axes, its width. `sensorSize` is the plane's size in the sensor's order, which for chroma is not the
    /// transform's.
    init?(_ plane: borrowing Plane<UInt8>, transform: OrientationTransform, sensorSize: PixelSize) {
        guard transform.swapsAxes ? plane.size == sensorSize.transposed : plane.width == sensorSize.width else {
            return nil
        }
        target = plane.row(0)
        strideBytes = plane.strideSamples
        planeHeight = plane.height
        self.transform = transform
        width = sensorSize.width
        height = sensorSize.height
        // An odd number of cache lines prevents rows from sharing cache sets.
        stripStride = ((sensorSize.width + 63) / 64 | 1) * 64
        let rows = transform.swapsAxes ? Self.stripRows + 1 : (transform.flipsX ? 2 : 0)
        strip = .allocate(capacity: stripStride * rows)
        runs = .allocate(capacity: ByteTranspose.edge * Self.runStride)
    }

    deinit {
        strip.deallocate()
        runs.deallocate()
    }

    /// The buffer for `width` bytes of sensor row `y`. Rows come in ascending order without gaps; at most two are open
    /// at once.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> {
        if transform.swapsAxes {
            let start = stripStart ?? y
            stripStart = start
            return strip + (y - start) * stripStride
        }
        return transform.flipsX ? strip + (y & 1) * stripStride : line(y)
    }

    /// Call it when one or two rows are written.
    func finish(_ rows: Range<Int>) {
        if transform.swapsAxes {
            if let start = stripStart, block(rows.upperBound) != block(start) {
                transposeStrip(through: rows.upperBound - 1)
            }
        } else if transform.flipsX {
            for row in rows { reverse(row) }
        }
    }

    /// Writes the rest of the strip, and makes all rows up to `y`, the last written one, visible to other threads.
    func flush(through y: Int) {
        if transform.swapsAxes, stripStart != nil { transposeStrip(through: y) }
        StreamingStores.fence()
    }

    /// With swapped axes, the cache line of the plane's rows that contains a row's byte.
    private func block(_ y: Int) -> Int { (transform.flipsY ? height - 1 - y : y) >> Self.blockShift }

    /// Without swapped axes, the plane row of row `y`.
    private func line(_ y: Int) -> UnsafeMutablePointer<UInt8> {
        target + (transform.flipsY ? height - 1 - y : y) % planeHeight * strideBytes
    }

    private func reverse(_ y: Int) {
        let to = line(y) + (width - 1)
        let from = strip + (y & 1) * stripStride
        for x in 0..<width { to[-x] = from[x] }
    }

    /// Transposes blocks of bytes to runs, and copies each run to its row of the plane.
    private func transposeStrip(through y: Int) {
        guard let start = stripStart else { return }
        let count = y - start + 1
        let left = transform.flipsY ? height - 1 - y : start
        for x in stride(from: 0, to: width, by: ByteTranspose.edge) {
            let columns = min(ByteTranspose.edge, width - x)
            transposeColumns(x..<x + columns, rows: count)
            for column in 0..<columns {
                let line = transform.flipsX ? width - 1 - x - column : x + column
                StreamingStores.copy(
                    runs + column * Self.runStride, to: target + line * strideBytes + left, byteCount: count)
            }
        }
        stripStart = nil
    }

    /// Transposes up to eight columns of the strip to runs.
    private func transposeColumns(_ columns: Range<Int>, rows count: Int) {
        let edge = ByteTranspose.edge
        let whole = columns.count == edge ? count - count % edge : 0
        for row in stride(from: 0, to: whole, by: edge) {
            // For flipped rows, reads a block's last row first.
            let first = transform.flipsY ? row + edge - 1 : row
            ByteTranspose.transpose(
                strip + first * stripStride + columns.lowerBound, transform.flipsY ? -stripStride : stripStride,
                to: runs + (transform.flipsY ? count - 1 - first : first), Self.runStride)
        }
        for row in whole..<count {
            for (column, x) in columns.enumerated() {
                runs[column * Self.runStride + (transform.flipsY ? count - 1 - row : row)] =
                    strip[row * stripStride + x]
            }
        }
    }
}
