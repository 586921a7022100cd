internal import Concurrency
internal import Encode
internal import PictureFormat
internal import Pixels
internal import RenderJobs

/// Encodes previews, each on its own thread while its photo is completed, if a thread is available.
///
/// `@unchecked Sendable`: only `encode` starts a thread, and the thread has ended when it returns.
final class PreviewEncoder: @unchecked Sendable {
    private var encoder: JPEGEncoder
    /// Error of the last preview; nil on success.
    private(set) var error: EncodeError?

    init(_ encoder: consuming JPEGEncoder) { self.encoder = encoder }

    /// Encodes the image before `body` or concurrently, and returns when both are done.
    func encode<Value, Problem: Error>(
        _ image: borrowing OutputImage, inBackground: Bool, while body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        let (picture, colourSpace) = (image.asOneStrip, image.colourSpace)
        error = nil
        guard inBackground else {
            encode(picture, colourSpace)
            return try body()
        }
        let thread = BackgroundThread { self.encode(picture, colourSpace) }
        defer { thread.wait() }
        return try body()
    }

    private func encode(_ picture: YCbCrStrip, _ colourSpace: ColourSpace) {
        do throws(EncodeError) {
            try encoder.encode(
                picture, colourSpace, quality: RenderSettings.previewQuality, segments: .onlyProfile)
        } catch {
            self.error = error
        }
    }

    /// Lends the last preview's file; empty if encoding failed.
    func withBytes<Value, Problem: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Problem) -> Value
    ) throws(Problem) -> Value {
        try unsafe encoder.withBytes(body)
    }
}
