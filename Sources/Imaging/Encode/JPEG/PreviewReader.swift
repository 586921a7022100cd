import CTurboJPEG
internal import PictureFormat
public import Pixels

/// Result of reading a camera's preview.
public enum PreviewReading: Hashable, Sendable {
    case picture(SmallPicture)
    /// TurboJPEG reported an error or warning, so some samples may be wrong.
    case damaged
    /// Possibly intact, but too large or without three colour components.
    case unsuitable
}

/// Reads the small JPEGs that cameras embed in RAWs, scaling them down while decoding.
///
/// The bytes are untrusted: the size is checked before decoding. The accurate inverse transform gives the same result
/// on every processor.
///
/// Each preview gets a new TurboJPEG handle. A reused handle keeps its state after an error in a header, and its
/// Huffman tables for the next JPEG that has none; earlier previews would then change the brightness of later photos.
public enum PreviewReader {
    private static let minEdge = 120
    private static let maxBytes = 2 << 20
    private static let maxPixels = 64 << 20

    /// Decodes at 1/8, 1/4, 1/2 or full size: the smallest scale whose longer side is at least 120 pixels.
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

    /// TurboJPEG's scaled size, rounded up (TJSCALED).
    private static func scaled(_ size: PixelSize) -> PixelSize {
        let divisor = [8, 4, 2].first { max(size.width, size.height) / $0 >= minEdge } ?? 1
        return PixelSize(width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
    }
}
