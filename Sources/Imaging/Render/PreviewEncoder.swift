internal import Concurrency
internal import Encode
internal import PictureFormat
internal import Pixels

/// Encodes one preview after another, each on a background thread while its photo is processed further, where a thread
/// can be spared.
///
/// `@unchecked Sendable`: while `running` is set, only its thread uses `encoder` and `failure`; the owner waits for it
/// before it touches them. `running` itself is used by the owner's thread alone.
final class PreviewEncoder: @unchecked Sendable {
    private var encoder: JPEGEncoder
    private var running: BackgroundThread?
    private var failure: EncodeError?

    init(_ encoder: consuming JPEGEncoder) { self.encoder = encoder }

    /// - Parameter image: must live, and stay as it is, until `wait` or `bytes` was called.
    func begin(_ image: borrowing OutputImage, isBeside: Bool) {
        let (picture, colourSpace) = (image.asOneStrip, image.colourSpace)
        wait()
        failure = nil
        if isBeside {
            running = BackgroundThread { self.encode(picture, colourSpace) }
        } else {
            encode(picture, colourSpace)
        }
    }

    private func encode(_ picture: PictureStrip, _ colourSpace: ColourSpace) {
        do throws(EncodeError) {
            try encoder.encode(
                picture, colourSpace, quality: RenderSettings.previewQuality, segments: .onlyProfile)
        } catch {
            failure = error
        }
    }

    /// Returns when nothing is being encoded.
    func wait() {
        running?.wait()
        running = nil
    }

    /// The encoded preview, valid until the next one is begun.
    func bytes() throws(EncodeError) -> UnsafeRawBufferPointer {
        wait()
        if let failure { throw failure }
        return encoder.withBytes { $0 }
    }
}
