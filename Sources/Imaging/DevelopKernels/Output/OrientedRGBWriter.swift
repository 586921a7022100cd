import PictureFormat
package import Pixels

/// Brings rows of R′G′B′ with 16 bits per channel from the sensor's order into strips of the upright picture, or, with
/// swapped axes, into blocks of its columns.
///
/// Passes on complete strips or blocks and reuses their memory. Bands of rows end where strips and blocks do, and no
/// pair of rows lies in two of them.
package final class OrientedRGBWriter {
    private enum Target {
        case strips(any StripSink)
        case columns(any RGBColumnSink)
    }

    /// Rows of a strip, and columns of a block.
    private static let rows = PictureStrip.rows

    let transform: OrientationTransform
    private let target: Target
    /// Sensor rows of a strip or block, in the order of the upright picture's rows or columns.
    private let block: Plane<UInt16>
    /// Two sensor rows to reverse; with swapped axes, a block of columns.
    private let turned: Plane<UInt16>

    /// Nil for swapped axes.
    package init?(_ strips: any StripSink, transform: OrientationTransform) {
        guard !transform.swapsAxes else { return nil }
        self.transform = transform
        target = .strips(strips)
        let size = transform.sensorSize
        block = Plane(width: 3 * size.width, height: min(Self.rows, size.height))
        turned = Plane(width: 3 * size.width, height: 2)
    }

    /// Nil unless axes are swapped.
    package init?(_ columns: any RGBColumnSink, transform: OrientationTransform) {
        guard transform.swapsAxes else { return nil }
        self.transform = transform
        target = .columns(columns)
        let size = transform.sensorSize
        block = Plane(width: 3 * size.width, height: min(Self.rows, size.height))
        turned = Plane(width: 3 * Self.rows, height: size.width)
    }

    /// The buffer for sensor row `y`, three samples per pixel. Rows come in ascending order without gaps; at most two
    /// are open at once.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt16> {
        !transform.swapsAxes && transform.flipsX ? turned.row(y & 1) : line(y)
    }

    /// Call it when one or two rows are written.
    func finish(_ rows: Range<Int>) {
        for y in rows {
            if !transform.swapsAxes, transform.flipsX { reverse(turned.row(y & 1), into: line(y)) }
            guard isLast(y) else { continue }
            let index = upright(y) / Self.rows
            switch target {
            case .strips(let sink):
                let strip = RGBStrip(
                    index: index, of: transform.sensorSize, samples: block.row(0), strideSamples: block.strideSamples)
                sink.write(.rgb(strip))
            case .columns(let sink): handOn(index, sink)
            }
        }
    }

    /// The row of the upright picture, or column with swapped axes, for sensor row `y`.
    private func upright(_ y: Int) -> Int { transform.flipsY ? transform.sensorSize.height - 1 - y : y }

    private func line(_ y: Int) -> UnsafeMutablePointer<UInt16> { block.row(upright(y) % Self.rows) }

    private func isLast(_ y: Int) -> Bool {
        let line = upright(y)
        if transform.flipsY { return line.isMultiple(of: Self.rows) }
        return (line + 1).isMultiple(of: Self.rows) || line == transform.sensorSize.height - 1
    }

    private func reverse(_ row: UnsafePointer<UInt16>, into line: UnsafeMutablePointer<UInt16>) {
        let width = transform.sensorSize.width
        for x in 0..<width { Self.copy(row + 3 * (width - 1 - x), to: line + 3 * x) }
    }

    private func handOn(_ index: Int, _ sink: any RGBColumnSink) {
        let size = transform.sensorSize
        let columns = index * Self.rows..<min((index + 1) * Self.rows, size.height)
        let (from, stride) = (UnsafePointer(block.row(0)), block.strideSamples)
        for x in 0..<size.width {
            let line = turned.row(transform.flipsX ? size.width - 1 - x : x)
            for i in 0..<columns.count { Self.copy(from + i * stride + 3 * x, to: line + 3 * i) }
        }
        sink.write(columns, turned.row(0), strideSamples: turned.strideSamples)
    }

    @inline(__always)
    private static func copy(_ pixel: UnsafePointer<UInt16>, to target: UnsafeMutablePointer<UInt16>) {
        target[0] = pixel[0]
        target[1] = pixel[1]
        target[2] = pixel[2]
    }
}

/// Receives an upright picture in blocks of columns, each once, from several threads at once.
package protocol RGBColumnSink: AnyObject, Sendable {
    /// - Parameters:
    ///   - columns: columns of the upright picture: `PictureStrip.rows` of them from a multiple of that, or fewer at
    ///     its end.
    ///   - samples: three per pixel, row by row from the picture's top. Valid during the call.
    ///   - strideSamples: distance of rows.
    func write(_ columns: Range<Int>, _ samples: UnsafeMutablePointer<UInt16>, strideSamples: Int)
}
