internal import Encode
internal import Jobs
internal import Manifests
internal import PictureFormat

/// What an encoder needs that looks at the whole picture, and whether a render process has it.
struct EncodingMemory {
    /// Of the program, its tables, a picture's metadata and the preview: a little more than was measured.
    private static let baseBytes = 80 << 20

    private let limitBytes: Int
    private let bytesPerPixel: Int
    private let task: FrameTask

    /// Nil for formats that are encoded strip by strip, and where memory has no limit.
    ///
    /// - Parameter limitBytes: what a render process may use; nil for no limit.
    init?(_ task: FrameTask, limitBytes: Int?) {
        guard let limitBytes, let needed = PhotoCoding(task.job.recipe).bytesPerPixel else { return nil }
        bytesPerPixel = needed
        self.limitBytes = limitBytes
        self.task = task
    }

    /// Refuses a photo that could only end in the process being stopped.
    ///
    /// - Parameter sampleCount: the sensor's samples, two bytes each, which are in memory as well.
    /// - Throws: `tooLarge`: another attempt would find no more.
    func check(_ photo: PixelSize, sampleCount: Int) throws(Failure) {
        let needed = Self.baseBytes + 2 * sampleCount + bytesPerPixel * photo.width * photo.height
        guard needed > limitBytes else { return }
        throw Failure(
            .tooLarge,
            "\(task.file): to encode \(photo.width) × \(photo.height) pixels as \(task.job.recipe.format.rawValue) takes about "
                + "\(Self.megabytes(needed)) MB of memory, and a render process may use \(Self.megabytes(limitBytes)). "
                + "Give fewer jobs (-j), a larger --memory-limit, a smaller --long-edge, or --format jpeg.")
    }

    /// The same before the frame is decoded, for a photo of about the sensor's size or as large as the recipe asks for.
    func check(sensor: PixelSize) throws(Failure) {
        let (width, height) = (Double(sensor.width), Double(sensor.height))
        let edge = task.job.recipe.longEdgePixels.map { Double($0) } ?? .infinity
        let scale = min(1, edge / max(width, height, 1))
        let photo = PixelSize(width: Int((width * scale).rounded()), height: Int((height * scale).rounded()))
        try check(photo, sampleCount: sensor.width * sensor.height)
    }

    private static func megabytes(_ bytes: Int) -> Int { (bytes + 500_000) / 1_000_000 }
}
