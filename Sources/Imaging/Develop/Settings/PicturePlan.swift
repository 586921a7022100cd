import DevelopKernels
import PictureFormat
import Pixels

/// One picture to make: its geometry, its memory, and the distribution of rows to bands.
struct PicturePlan {
    let geometry: PictureGeometry
    /// Of a reduced picture; nil for none.
    let sharpening: DetailLimits?

    var transform: OrientationTransform { geometry.transform }

    /// The target size is in the sensor's order, sharpening is 0…1, and the deviation of noise is a root of light.
    init(
        crop: PixelSize, target: PixelSize, orientation: Orientation, lead: TileLead, sharpening: Float = 0,
        deviation: Float = 0
    ) {
        let transform = OrientationTransform(orientation, sensorSize: target)
        // Without resampling, the tiles' squares must be the picture's.
        if crop == target, lead == transform.tileLead {
            geometry = PictureGeometry(transform)
            self.sharpening = nil
            return
        }
        // Squares are averaged, so both directions average equally.
        let shift = min(
            ResampleAxis.boxShift(input: crop.width, output: target.width),
            ResampleAxis.boxShift(input: crop.height, output: target.height))
        let horizontal = ResampleAxis.cubic(
            input: crop.width, output: target.width, boxShift: shift, lead: lead.x)
        let vertical = ResampleAxis.cubic(
            input: crop.height, output: target.height, boxShift: shift, lead: lead.y)
        guard let resampled = PictureGeometry(transform, horizontal: horizontal, vertical: vertical) else {
            preconditionFailure("both axes are planned for the target's size")
        }
        geometry = resampled
        self.sharpening = DetailLimits(
            outputSharpening: sharpening, deviation: deviation, scale: Float(target.width) / Float(crop.width))
    }

    /// Memory for the upright picture, or for some of its rows. `subsampling` is nil for the settings'.
    func makeImage(
        _ settings: DevelopSettings, _ subsampling: ChromaSubsampling? = nil, rows: Int = .max
    ) -> OutputImage {
        let subsampling = subsampling ?? settings.subsampling
        let whole = transform.uprightSize
        let size = PixelSize(width: whole.width, height: min(rows, whole.height))
        let divisor = subsampling == .quarter ? 2 : 1
        let width = (size.width + divisor - 1) / divisor
        let height = (size.height + divisor - 1) / divisor
        let threads = settings.threads
        return OutputImage(
            luma: Plane(width: size.width, height: size.height, threads: threads),
            cb: Plane(width: width, height: height, threads: threads),
            cr: Plane(width: width, height: height, threads: threads), subsampling: subsampling,
            colourSpace: settings.colourSpace)
    }

    func makeGainMap(_ settings: DevelopSettings) -> Plane<UInt8> {
        let size = transform.uprightSize
        return Plane(width: size.width, height: size.height, threads: settings.threads)
    }

    func output(_ share: BandShare, _ sink: any SizedTileSink) -> BandPipeline.Output {
        .init(geometry, rows: rows(share), sharpening: sharpening, sink: sink)
    }

    /// The rows that a band makes, in the sensor's order.
    ///
    /// Bands end at strips of the upright picture. If axes are swapped, they end at cache lines of its rows, where
    /// chroma's hold as many rows as two of luma's. So squares of pixels stay together too.
    func rows(_ share: BandShare) -> Range<Int> {
        let (index, count) = (share.index, share.count)
        let height = transform.sensorSize.height
        let step = transform.swapsAxes ? 128 : PictureStrip.rows
        // In a flipped picture, strips are counted from the last row.
        let phase = transform.flipsY ? (step - height % step) % step : 0
        func boundary(_ i: Int) -> Int {
            if i == 0 { return 0 }
            if i == count { return height }
            return min((height * i / count + phase) / step * step - phase, height)
        }
        let lower = max(boundary(index), 0)
        return lower..<max(boundary(index + 1), lower)
    }
}

/// One thread's share of a picture.
struct BandShare: Equatable, Sendable {
    let index: Int
    let count: Int
}
