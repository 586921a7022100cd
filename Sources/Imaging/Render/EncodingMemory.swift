internal import Encode
internal import Jobs
internal import Manifests
internal import PictureFormat

/// Memory of encoders that need the whole picture, and the limit of the render process.
struct EncodingMemory {
    /// Memory for the program, its tables, a picture's metadata and the preview: slightly more than measured.
    private static let baseBytes = 80 << 20

    private let limitBytes: Int
    private let bytesPerPixel: Int
    private let task: FrameTask

    /// Nil for formats encoded strip by strip, and without a memory limit.
    ///
    /// - Parameter limitBytes: memory limit of a render process; nil for none.
    init?(_ task: FrameTask, limitBytes: Int?) {
        guard let limitBytes, let needed = PhotoCoding(task.job.recipe).bytesPerPixel else { return nil }
        bytesPerPixel = needed
        self.limitBytes = limitBytes
        self.task = task
    }

    /// Refuses a photo whose encoding would exceed the limit.
    ///
    /// - Parameter sampleCount: number of sensor samples, which take two bytes each.
    /// - Throws: `tooLarge`, because retrying cannot help.
    func check(_ photo: PixelSize, sampleCount: Int) throws(Failure) {
        let needed = Self.baseBytes + 2 * sampleCount + bytesPerPixel * photo.width * photo.height
        guard needed > limitBytes else { return }
        throw Failure(
            .tooLarge,
            "\(task.file): encoding \(photo.width) × \(photo.height) pixels as \(task.job.recipe.format.rawValue) takes about "
                + "\(Self.megabytes(needed)) MB of memory, but a render process may use only \(Self.megabytes(limitBytes)). "
                + "Use fewer jobs (-j), a larger --memory-limit, a smaller --long-edge, or --format jpeg.")
    }

    /// Checks before decoding, with the size that the recipe gives a photo of the whole sensor.
    func check(sensor: PixelSize) throws(Failure) {
        let (width, height) = (Double(sensor.width), Double(sensor.height))
        let edge = task.job.recipe.longEdgePixels.map { Double($0) } ?? .infinity
        let scale = min(1, edge / max(width, height, 1))
        let photo = PixelSize(width: Int((width * scale).rounded()), height: Int((height * scale).rounded()))
        try check(photo, sampleCount: sensor.width * sensor.height)
    }

    private static func megabytes(_ bytes: Int) -> Int { (bytes + 500_000) / 1_000_000 }
}
