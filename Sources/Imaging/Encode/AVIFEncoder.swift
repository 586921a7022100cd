import CAVIF
import Glibc
import Metadata
public import PictureFormat
public import Pixels
import Synchronization

/// Writes one photo as AVIF: Y′CbCr 4:4:4 with 10 bits a sample, made from 16 bits, by libavif and aom.
///
/// AV1 looks at the whole picture: its samples are in memory, six bytes a pixel, and are encoded when the last strip has come,
/// in the calling thread. aom's bytes are the same with any vector instructions, and differ between one thread and several;
/// so it gets one. Another version of it gives other bytes: photos name it ("AVIF" among the decisions).
public final class AVIFEncoder: RGB16PhotoEncoder {
    private let metadata: RGB16Metadata
    private let coding: AVIFCoding
    private let planes: YCbCr10Planes
    private let file: any PhotoFile
    private let strips: Mutex<GatheredStrips>

    /// Begins a photo.
    ///
    /// - Parameters:
    ///   - coding: quality and colour space.
    ///   - metadata: what the photo says of itself; `exif` has its size.
    ///   - file: empty.
    /// - Throws: `qualityOutOfRange`, `tooLargeForFormat`, `outOfMemory`.
    public init(_ coding: AVIFCoding, _ metadata: RGB16Metadata, file: any PhotoFile) throws(EncodeError) {
        guard (1...100).contains(coding.quality) else { throw .qualityOutOfRange(coding.quality) }
        self.metadata = metadata
        self.coding = coding
        self.file = file
        let size = PixelSize(width: metadata.exif.width, height: metadata.exif.height)
        planes = try YCbCr10Planes(size)
        strips = Mutex(GatheredStrips(size))
    }

    /// Time spent on the strips, summed over all threads.
    public var encodingTime: Duration { strips.withLock { $0.time } }

    /// Takes a strip's samples over. An error is kept and thrown when the photo is completed.
    public func write(_ strip: RGB16Strip) {
        let start = ContinuousClock.now
        if strips.withLock({ $0.begin(strip) }) { planes.fill(strip) }
        strips.withLock { $0.add(ContinuousClock.now - start) }
    }

    /// Encodes the photo and writes its file. All strips must have been written.
    ///
    /// - Returns: the file's size in bytes.
    /// - Throws: `EncodeError`, also for what went wrong with a strip.
    public func finish() throws(EncodeError) -> Int {
        try strips.withLock { strips throws(EncodeError) in try strips.checkAreAll() }
        let output = try AVIFOutput(planes, coding, metadata)
        return try file.fill(with: output.bytes)
    }
}

/// How an AVIF is coded.
public struct AVIFCoding: Hashable, Sendable {
    /// 1…100.
    public var quality: Int
    /// Of the samples.
    public var colourSpace: ColourSpace

    /// The parameters are the properties of the same names.
    public init(quality: Int, colourSpace: ColourSpace) {
        self.quality = quality
        self.colourSpace = colourSpace
    }

    /// The quantizer, 0…63, whose error is about that of a JPEG of this quality ("AVIF" among the decisions has the figures).
    var quantizer: Int { min(63, ((100 - quality) * 23 + 10) / 20) }

    /// Memory that is in use at once to encode, for each pixel, our own samples included: what 1.5, 6 and 24 megapixels took
    /// (libavif 0.11.1, aom 3.6.0).
    public static let bytesPerPixel = 37

    /// libavif's 9 of 10: 8 saves 5 % of the bytes for more than twice the time.
    static let speed = 9

    /// Code points of ITU-T H.273: primaries and transfer. Adobe RGB has none, and needs its profile.
    var codePoints: (primaries: UInt16, transfer: UInt16, needsProfile: Bool) {
        switch colourSpace {
        case .sRGB: (1, 13, false)
        case .displayP3: (12, 13, false)
        case .adobeRGB: (2, 2, true)
        }
    }
}

/// The libavif that is loaded.
public enum AVIFLibrary {
    /// Such as "0.11.1".
    public static var version: String { String(cString: CAVIFVersion()) }

    /// What the bytes of a photo depend on beside the engine: `libavif 0.11.1, aom 3.6.0`.
    public static var encoder: String {
        var text = [CChar](repeating: 0, count: 256)
        CAVIFCodecs(&text)
        let codecs = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // `aom [enc/dec]:v3.6.0` among others, with commas between them.
        let version = codecs.split(separator: ",").lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix("aom") }
            .flatMap { $0.split(separator: ":").last }?.drop { $0 == "v" }
        return "libavif \(self.version), aom \(version ?? "of no known version")"
    }
}

/// A file that libavif made, in its memory.
private struct AVIFOutput: ~Copyable {
    private let file: CAVIFBytes

    init(_ planes: YCbCr10Planes, _ coding: AVIFCoding, _ metadata: RGB16Metadata) throws(EncodeError) {
        let points = coding.codePoints
        let (exif, xmp) = (metadata.exif.avifBlock(), metadata.xmp)
        let profile = points.needsProfile ? metadata.profile : []
        var file = CAVIFBytes()
        let problem = exif.withUnsafeBufferPointer { exif in
            xmp.withUnsafeBufferPointer { xmp in
                profile.withUnsafeBufferPointer { profile in
                    var picture = CAVIFPicture(
                        width: UInt32(planes.size.width), height: UInt32(planes.size.height),
                        planes: (UnsafePointer(planes.y), UnsafePointer(planes.cb), UnsafePointer(planes.cr)),
                        colourPrimaries: points.primaries,
                        transferCharacteristics: points.transfer,
                        // ITU-R BT.601, as in a JPEG.
                        matrixCoefficients: 6, profile: CAVIFBytes(bytes: profile.baseAddress, count: profile.count),
                        exif: CAVIFBytes(bytes: exif.baseAddress, count: exif.count),
                        xmp: CAVIFBytes(bytes: xmp.baseAddress, count: xmp.count),
                        quantizer: CInt(coding.quantizer), speed: CInt(AVIFCoding.speed))
                    return CAVIFEncode(&picture, &file)
                }
            }
        }
        if let problem { throw .encoderFailed(String(cString: problem)) }
        self.file = file
    }

    deinit { CAVIFFree(file) }

    /// Valid as long as this value lives.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: file.bytes, count: file.count) }
}
