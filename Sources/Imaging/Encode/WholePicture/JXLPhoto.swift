import CJXL
import ColourScience
import Metadata
import PictureFormat
import Pixels

/// One photo as lossy JPEG XL (ISO/IEC 18181), made from 16 bits per channel by libjxl.
///
/// libjxl needs the whole picture: its samples take six bytes per pixel. Its bytes do not depend on the number of
/// threads, nor, without fused multiply-add, on the processor. Other versions give other bytes, so photos record the
/// version ("JPEG XL" among the decisions).
final class JXLPhoto: WholePicture {
    private let metadata: EmbeddedMetadata
    private let coding: LossyCoding
    private let threads: Int
    private let picture: RGBPicture

    /// - Parameters:
    ///   - metadata: its profile is not used.
    ///   - threads: 1 or more.
    /// - Throws: `qualityOutOfRange`, `tooLargeForFormat`, `outOfMemory`.
    init(_ coding: LossyCoding, _ metadata: EmbeddedMetadata, threads: Int) throws(EncodeError) {
        try coding.check()
        self.metadata = metadata
        self.coding = coding
        self.threads = max(threads, 1)
        picture = try RGBPicture(metadata.size)
    }

    var size: PixelSize { picture.size }

    func fill(_ strip: RGBStrip) { picture.fill(strip) }

    func write(to file: any PhotoFile) throws(EncodeError) -> Int {
        let encoding = try JXLEncoding(picture, coding, metadata, threads: threads)
        // The encoder has copied the samples and needs the memory.
        picture.free()
        return try unsafe file.replace(with: try encoding.finish())
    }

    /// Peak memory for encoding, in bytes per pixel: measured with 1.5, 6 and 24 megapixels (libjxl 0.7).
    static let bytesPerPixel = 41

    /// libjxl's effort, 1…9: 5 takes three times as long, without smaller files at the same error.
    fileprivate static let effort = 4
}

extension LossyCoding {
    /// Butteraugli distance for a JPEG quality, as in cjxl (`JxlEncoderDistanceFromQuality`): 0.1 for 100, 1 for 90,
    /// 6.4 for 30. cjxl codes quality 100 losslessly.
    var distance: Double {
        let quality = Double(quality)
        return quality >= 30 ? 0.1 + (100 - quality) * 0.09 : 53 / 3000 * quality * quality - 23 / 20 * quality + 25
    }

    fileprivate var colours: CJXLColours {
        let (red, green, blue) = RGBPrimaries(colourSpace).chromaticities
        return CJXLColours(
            primaries: ((red.x, red.y), (green.x, green.y), (blue.x, blue.y)),
            // Adobe RGB (1998) has the exponent 563 / 256.
            gamma: colourSpace == .adobeRGB ? 256 / 563 : 0)
    }
}

/// The loaded libjxl.
public enum JXLLibrary {
    /// Version, such as "0.7.0".
    public static var version: String {
        let number = CJXLVersion()
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }

    /// Library version that decides a photo's bytes: `libjxl 0.7.0`.
    public static var encoder: String { "libjxl \(version)" }
}

/// A libjxl encoder and the file it made.
@safe private struct JXLEncoding: ~Copyable {
    private let handle: OpaquePointer

    init(
        _ picture: RGBPicture, _ coding: LossyCoding, _ metadata: EmbeddedMetadata, threads: Int
    ) throws(EncodeError) {
        let (exif, xmp) = (metadata.exif.jxlBlock(), metadata.xmp)
        var handle: OpaquePointer?
        let problem = unsafe exif.withUnsafeBufferPointer { exif in
            unsafe xmp.withUnsafeBufferPointer { xmp in
                var picture = unsafe CJXLPicture(
                    width: UInt32(picture.size.width), height: UInt32(picture.size.height), samples: picture.samples,
                    colours: coding.colours, exif: CJXLBytes(bytes: exif.baseAddress, count: exif.count),
                    xmp: CJXLBytes(bytes: xmp.baseAddress, count: xmp.count), distance: Float(coding.distance),
                    effort: CInt(JXLPhoto.effort), threads: CInt(clamping: threads))
                return unsafe CJXLBegin(&picture, &handle)
            }
        }
        if let problem = unsafe problem { throw .encoderFailed(unsafe String(cString: problem)) }
        guard let handle = unsafe handle else { throw .encoderFailed("libjxl could not be started") }
        unsafe self.handle = handle
    }

    deinit { unsafe CJXLEnd(handle) }

    /// Encodes the picture. The bytes are valid as long as this value lives.
    borrowing func finish() throws(EncodeError) -> UnsafeRawBufferPointer {
        var file = unsafe CJXLBytes()
        if let problem = unsafe CJXLFinish(handle, &file) { throw unsafe .encoderFailed(String(cString: problem)) }
        return unsafe UnsafeRawBufferPointer(start: file.bytes, count: file.count)
    }
}
