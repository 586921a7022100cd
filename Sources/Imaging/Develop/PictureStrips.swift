import PictureFormat
import Pixels

/// The strip of an upright picture that is being written, over and over in the same memory; a band of the picture has
/// one of its own. For pictures whose axes do not swap.
final class PictureStrips {
    let turn: Turn
    let image: OutputImage
    private let sink: any StripSink

    init(_ plan: PicturePlan, _ settings: DevelopSettings, sink: any StripSink) {
        turn = plan.turn
        image = plan.makeImage(settings, rows: PictureStrip.rows)
        self.sink = sink
    }

    /// These rows of the sensor's order, one or two that share chroma samples, are written. Hands on the strip that
    /// they complete.
    func finish(_ rows: Range<Int>) {
        let height = turn.sensorSize.height
        let lines = turn.flipsY ? height - rows.upperBound..<height - rows.lowerBound : rows
        let index = lines.lowerBound / PictureStrip.rows
        let strip = index * PictureStrip.rows..<min((index + 1) * PictureStrip.rows, height)
        let isComplete = turn.flipsY ? lines.lowerBound == strip.lowerBound : lines.upperBound == strip.upperBound
        if isComplete { sink.write(image.strip(index, of: turn.sensorSize, at: 0, height: strip.count)) }
    }
}
