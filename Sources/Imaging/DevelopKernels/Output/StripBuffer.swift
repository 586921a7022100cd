import PictureFormat
package import Pixels

/// The current strip of an upright picture, in memory that the next strip reuses. Each band has its own. For pictures
/// without swapped axes.
package final class StripBuffer {
    let image: OutputImage
    private let transform: OrientationTransform
    private let sink: any StripSink

    /// The image has memory for `PictureStrip.rows` rows of the picture, or for all rows of a lower one.
    package init(_ image: consuming OutputImage, transform: OrientationTransform, sink: any StripSink) {
        self.image = image
        self.transform = transform
        self.sink = sink
    }

    /// Call it when one or two sensor rows that share chroma samples are written. Passes on the strip that they
    /// complete.
    func finish(_ rows: Range<Int>) {
        let height = transform.sensorSize.height
        let lines = transform.flipsY ? height - rows.upperBound..<height - rows.lowerBound : rows
        let index = lines.lowerBound / PictureStrip.rows
        let strip = index * PictureStrip.rows..<min((index + 1) * PictureStrip.rows, height)
        let isComplete =
            transform.flipsY ? lines.lowerBound == strip.lowerBound : lines.upperBound == strip.upperBound
        if isComplete {
            sink.write(.yCbCr(image.strip(index, of: transform.sensorSize, at: 0, height: strip.count)))
        }
    }
}
