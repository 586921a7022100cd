internal import Compression
public import PictureFormat
internal import Pixels

/// Why a picture could not be encoded.
public enum EncodeError: Error, Hashable, Sendable, CustomStringConvertible {
    case encoderUnavailable
    case qualityOutOfRange(Int)
    /// A JPEG side can have at most 65,500 pixels.
    case tooLarge(PixelSize)
    /// A TIFF or PNG of this size could exceed 4 GiB, or a side of an AVIF or JPEG XL exceeds 65,536 pixels.
    case tooLargeForFormat(PixelSize)
    /// The photo's file could not be written or read. Its owner knows the reason.
    case fileFailed
    /// A metadata block does not fit a JPEG segment.
    case segmentTooLarge(segment: String, bytes: Int, limit: Int)
    /// The output buffer could not be allocated.
    case outOfMemory(bytes: Int)
    /// The encoder failed, with its message.
    case encoderFailed(String)
    case profileFailed(ColourSpace)

    /// The cause, as part of a sentence.
    public var description: String {
        switch self {
        case .encoderUnavailable: "the JPEG encoder could not be started: this machine is out of memory"
        case .qualityOutOfRange(let quality): "quality \(quality) is not between 1 and 100"
        case .tooLarge(let size):
            "a JPEG holds at most 65500 pixels a side, the picture has \(size.width) × \(size.height): "
                + "choose a smaller long edge"
        case .tooLargeForFormat(let size):
            "a photo of \(size.width) × \(size.height) pixels may exceed the limits of its format: "
                + "choose a smaller long edge, or JPEG"
        case .fileFailed: "the photo's file cannot be written"
        case .segmentTooLarge(let segment, let bytes, let limit):
            "the \(segment) block has \(bytes) bytes, a JPEG segment holds at most \(limit)"
        case .outOfMemory(let bytes): "no memory for a file of up to \(bytes) bytes"
        case .encoderFailed(let message): "the encoder failed: \(message)"
        case .profileFailed(let space): "the ICC profile \(space.rawValue) could not be built"
        }
    }
}

extension EncodeError {
    /// A strip's bit depth differs from the photo's.
    static let wrongDepth = EncodeError.encoderFailed("a strip has the wrong bit depth")

    init(_ error: CompressionError) {
        switch error {
        case .outOfMemory(let bytes): self = .outOfMemory(bytes: bytes)
        default: self = .encoderFailed("\(error)")
        }
    }
}
