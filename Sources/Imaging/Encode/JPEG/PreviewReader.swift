import CTurboJPEG
internal import PictureFormat
public import Pixels

/// What became of a camera's preview.
public enum PreviewReading: Hashable, Sendable {
    /// The picture, small enough for a comparison.
    case picture(SmallPicture)
    /// TurboJPEG met an error, or a warning: some of its samples are not those the camera wrote.
    case damaged
    /// A JPEG that may be sound, but is not of a kind that is read in passing: too large, or not of three colours.
    case unsuitable
}

/// Reads the small JPEGs that cameras embed in their RAWs, scaled down while they are decoded.
///
/// The bytes are untrusted: the size is checked before any picture is decoded. The inverse transform is the accurate
/// one, whose result is the same on every processor.
///
/// Nothing is kept between two previews. A TurboJPEG handle that failed within a header stays there, and one that
/// succeeded lends its Huffman tables to the next JPEG without any: both would decide the brightness of later photos.
public enum PreviewReader {
    private static let minEdge = 120
    private static let maxBytes = 2 << 20
    private static let maxPixels = 64 << 20

    /// The picture at an eighth, a quarter, a half or the whole of its size: the smallest whose longer side suffices.
    public static func read(_ bytes: [UInt8]) -> PreviewReading {
        guard bytes.count <= maxBytes, let handle = unsafe tjInitDecompress() else { return .unsuitable }
        defer { unsafe tjDestroy(handle) }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return .damaged }
            var (width, height, subsampling, space): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
            guard
                unsafe tjDecompressHeader3(handle, start, UInt(bytes.count), &width, &height, &subsampling, &space)
                    == 0,
                width > 0, height > 0
            else { return .damaged }
            let size = PixelSize(width: Int(width), height: Int(height))
            let small = scaled(size)
            guard size.pixelCount <= maxPixels, spaces.contains(space), small.width <= SmallPicture.maxEdge,
                small.height <= SmallPicture.maxEdge
            else { return .unsuitable }
            var samples = [UInt8](repeating: 0, count: small.pixelCount * 3)
            let flags = TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS
            let status = unsafe tjDecompress2(
                handle, start, UInt(bytes.count), &samples, CInt(small.width), CInt(small.width * 3),
                CInt(small.height), CInt(TJPF_RGB.rawValue), flags)
            guard status == 0, let picture = SmallPicture(size: small, samples: samples) else { return .damaged }
            return .picture(picture)
        }
    }

    private static let spaces = [TJCS_YCbCr, TJCS_RGB, TJCS_GRAY].map { CInt($0.rawValue) }

    /// The size TurboJPEG scales to: each side rounded up (TJSCALED).
    private static func scaled(_ size: PixelSize) -> PixelSize {
        let divisor = [8, 4, 2].first { max(size.width, size.height) / $0 >= minEdge } ?? 1
        return PixelSize(width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
    }
}
