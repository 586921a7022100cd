import CTurboJPEG
internal import PictureFormat
public import Pixels

/// Reads the small JPEGs that cameras embed in their RAWs, scaled down while they are decoded.
///
/// The bytes are untrusted: the size is checked before any picture is decoded, and every warning of TurboJPEG ends in
/// nil. The inverse transform is the accurate one, whose result is the same on every processor.
public struct PreviewReader: ~Copyable {
    private let handle: tjhandle?
    /// The longer side that suffices for a comparison, in pixels.
    private static let minEdge = 120
    private static let maxBytes = 2 << 20
    private static let maxPixels = 64 << 20

    /// A reader that finds no memory for TurboJPEG reads nothing.
    public init() { handle = tjInitDecompress() }

    deinit { if let handle { tjDestroy(handle) } }

    /// The picture at an eighth, a quarter, a half or the whole of its size: the smallest that suffices.
    ///
    /// - Returns: nil for a JPEG that is damaged or too large to be read in passing.
    public borrowing func read(_ bytes: [UInt8]) -> SmallPicture? {
        guard let handle, bytes.count <= Self.maxBytes else { return nil }
        return bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress, let full = Self.size(handle, start, bytes.count) else { return nil }
            let small = Self.scaled(full)
            guard small.width <= SmallPicture.maxEdge, small.height <= SmallPicture.maxEdge else { return nil }
            var samples = [UInt8](repeating: 0, count: small.pixelCount * 3)
            let flags = TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS
            let status = tjDecompress2(
                handle, start, UInt(bytes.count), &samples, CInt(small.width), CInt(small.width * 3),
                CInt(small.height), CInt(TJPF_RGB.rawValue), flags)
            return status == 0 ? SmallPicture(size: small, samples: samples) : nil
        }
    }

    private static func size(_ handle: tjhandle, _ start: UnsafePointer<UInt8>, _ count: Int) -> PixelSize? {
        var (width, height, subsampling, space): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
        guard tjDecompressHeader3(handle, start, UInt(count), &width, &height, &subsampling, &space) == 0,
            width > 0, height > 0, Int(width) * Int(height) <= maxPixels,
            space == CInt(TJCS_YCbCr.rawValue) || space == CInt(TJCS_RGB.rawValue) || space == CInt(TJCS_GRAY.rawValue)
        else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }

    /// The size TurboJPEG scales to: each side rounded up (TJSCALED).
    private static func scaled(_ size: PixelSize) -> PixelSize {
        let divisor = [8, 4, 2].first { max(size.width, size.height) / $0 >= minEdge } ?? 1
        return PixelSize(width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
    }
}
