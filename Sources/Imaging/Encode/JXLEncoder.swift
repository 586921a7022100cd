import CJXL
import ColourScience
import Metadata
public import PictureFormat
public import Pixels
import Synchronization

/// Writes one photo as JPEG XL (ISO/IEC 18181), lossy, made from 16 bits a channel, by libjxl.
///
/// libjxl looks at the whole picture: its samples are in memory, six bytes a pixel, and are encoded when the last strip has come.
/// Its bytes are the same for any number of threads, and, without fused multiply-add, on any processor. Another version of it
/// gives other bytes: photos name it ("JPEG XL" among the decisions).
public final class JXLEncoder: RGB16PhotoEncoder {
    private let metadata: RGB16Metadata
    private let coding: JXLCoding
    private let threads: Int
    private let picture: RGB16Picture
    private let file: any PhotoFile
    private let strips: Mutex<GatheredStrips>

    /// Begins a photo.
    ///
    /// - Parameters:
    ///   - coding: quality and colour space.
    ///   - metadata: what the photo says of itself; `exif` has its size. Its profile is not needed.
    ///   - threads: to encode with, 1 or more.
    ///   - file: empty.
    /// - Throws: `qualityOutOfRange`, `tooLargeForFormat`, `outOfMemory`.
    public init(
        _ coding: JXLCoding, _ metadata: RGB16Metadata, threads: Int, file: any PhotoFile
    ) throws(EncodeError) {
        guard (1...100).contains(coding.quality) else { throw .qualityOutOfRange(coding.quality) }
        self.metadata = metadata
        self.coding = coding
        self.threads = max(threads, 1)
        self.file = file
        let size = PixelSize(width: metadata.exif.width, height: metadata.exif.height)
        picture = try RGB16Picture(size)
        strips = Mutex(GatheredStrips(size))
    }

    /// Time spent on the strips, summed over all threads.
    public var encodingTime: Duration { strips.withLock { $0.time } }

    /// Takes a strip's samples over. An error is kept and thrown when the photo is completed.
    public func write(_ strip: RGB16Strip) {
        let start = ContinuousClock.now
        if strips.withLock({ $0.begin(strip) }) { picture.fill(strip) }
        strips.withLock { $0.add(ContinuousClock.now - start) }
    }

    /// Encodes the photo and writes its file. All strips must have been written, and it is called once.
    ///
    /// - Returns: the file's size in bytes.
    /// - Throws: `EncodeError`, also for what went wrong with a strip.
    public func finish() throws(EncodeError) -> Int {
        try strips.withLock { strips throws(EncodeError) in try strips.checkAreAll() }
        let encoding = try JXLEncoding(picture, coding, metadata, threads: threads)
        // The encoder has its own copy, and needs the memory.
        picture.free()
        return try file.fill(with: try encoding.finish())
    }
}

/// How a JPEG XL is coded.
public struct JXLCoding: Hashable, Sendable {
    /// 1…100.
    public var quality: Int
    /// Of the samples.
    public var colourSpace: ColourSpace

    /// The parameters are the properties of the same names.
    public init(quality: Int, colourSpace: ColourSpace) {
        self.quality = quality
        self.colourSpace = colourSpace
    }

    /// Butteraugli's distance, as libjxl's own cjxl takes it from a JPEG's quality (`JxlEncoderDistanceFromQuality`): 0.1 for
    /// 100, which it makes without any loss, 1 for 90, 6.4 for 30.
    var distance: Double {
        let quality = Double(quality)
        return quality >= 30 ? 0.1 + (100 - quality) * 0.09 : 53 / 3000 * quality * quality - 23 / 20 * quality + 25
    }

    /// Memory that is in use at once to encode, for each pixel: what 1.5, 6 and 24 megapixels took (libjxl 0.7).
    public static let bytesPerPixel = 41

    /// libjxl's 4 of 9: 5 takes three times the time, for files that are not smaller at the same error.
    static let effort = 4

    fileprivate var colours: CJXLColours {
        let (red, green, blue) = RGBPrimaries(colourSpace).chromaticities
        return CJXLColours(
            primaries: ((red.x, red.y), (green.x, green.y), (blue.x, blue.y)),
            // The exponent of Adobe RGB (1998) is 563 / 256.
            gamma: colourSpace == .adobeRGB ? 256 / 563 : 0)
    }
}

/// The libjxl that is loaded.
public enum JXLLibrary {
    /// Such as "0.7.0".
    public static var version: String {
        let number = CJXLVersion()
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }

    /// What the bytes of a photo depend on beside the engine: `libjxl 0.7.0`.
    public static var encoder: String { "libjxl \(version)" }
}

/// A picture in libjxl's hands, and the file made of it.
private struct JXLEncoding: ~Copyable {
    private let handle: OpaquePointer

    init(
        _ picture: RGB16Picture, _ coding: JXLCoding, _ metadata: RGB16Metadata, threads: Int
    ) throws(EncodeError) {
        let (exif, xmp) = (metadata.exif.jxlBlock(), metadata.xmp)
        var handle: OpaquePointer?
        let problem = exif.withUnsafeBufferPointer { exif in
            xmp.withUnsafeBufferPointer { xmp in
                var picture = CJXLPicture(
                    width: UInt32(picture.size.width), height: UInt32(picture.size.height), samples: picture.samples,
                    colours: coding.colours, exif: CJXLBytes(bytes: exif.baseAddress, count: exif.count),
                    xmp: CJXLBytes(bytes: xmp.baseAddress, count: xmp.count), distance: Float(coding.distance),
                    effort: CInt(JXLCoding.effort), threads: CInt(clamping: threads))
                return CJXLBegin(&picture, &handle)
            }
        }
        if let problem { throw .encoderFailed(String(cString: problem)) }
        guard let handle else { throw .encoderFailed("libjxl could not be started") }
        self.handle = handle
    }

    deinit { CJXLEnd(handle) }

    /// Encodes. The bytes are valid as long as this value lives.
    borrowing func finish() throws(EncodeError) -> UnsafeRawBufferPointer {
        var file = CJXLBytes()
        if let problem = CJXLFinish(handle, &file) { throw .encoderFailed(String(cString: problem)) }
        return UnsafeRawBufferPointer(start: file.bytes, count: file.count)
    }
}
