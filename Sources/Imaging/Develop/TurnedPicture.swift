import Concurrency
import DevelopKernels
import PictureFormat
import Pixels

/// An upright picture with 16 bits per channel that arrives in blocks of columns, because the sensor's rows are its
/// columns. It is whole in memory, because its first strip needs its last column.
final class TurnedPicture: RGBColumnSink {
    private let size: PixelSize
    private let samples: Plane<UInt16>

    init(_ size: PixelSize, threads: Int) {
        self.size = size
        samples = Plane(width: 3 * size.width, height: size.height, threads: threads)
    }

    func write(_ columns: Range<Int>, _ block: UnsafeMutablePointer<UInt16>, strideSamples: Int) {
        for y in 0..<size.height {
            let row = unsafe samples.row(y) + 3 * columns.lowerBound
            unsafe row.update(from: block + y * strideSamples, count: 3 * columns.count)
        }
    }

    /// Passes on all strips once all columns are there.
    func handOn(to sink: any StripSink, threads: Int) {
        let strips = PictureStrip.count(size)
        let count = min(max(threads, 1), strips)
        Parallel.forEach(count) { share in
            for index in strips * share / count..<strips * (share + 1) / count {
                let strip = unsafe RGBStrip(
                    index: index, of: size, samples: samples.row(index * PictureStrip.rows),
                    strideSamples: samples.strideSamples)
                sink.write(.rgb(strip))
            }
        }
    }
}
