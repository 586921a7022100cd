internal import Concurrency
internal import Encode
internal import PictureFormat
internal import Pixels
internal import RenderJobs

/// Encodes previews one after another, each on a separate thread while its photo is completed, if a thread is
/// available.
///
/// `@unchecked Sendable`: `encode` is the only method that starts a thread, and the thread has ended when it returns.
final class PreviewEncoder: @unchecked Sendable {
    private var encoder: JPEGEncoder
    /// Why the last preview could not be encoded; nil if it could.
    private(set) var error: EncodeError?

    init(_ encoder: consuming JPEGEncoder) { self.encoder = encoder }

    /// Encodes the image while `body` runs, or before it, and returns when both are done.
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

    /// Lends the last preview's file; empty where it could not be encoded.
    func withBytes<Value, Problem: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Problem) -> Value
    ) throws(Problem) -> Value {
        try unsafe encoder.withBytes(body)
    }
}
