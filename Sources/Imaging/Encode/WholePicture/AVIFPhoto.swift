import CAVIF
import Metadata
import PictureFormat
import Pixels

/// One photo as AVIF: 10-bit Y′CbCr 4:4:4, made from 16 bits by libavif and aom.
///
/// AV1 needs the whole picture: its samples take six bytes per pixel. aom's bytes do not depend on vector instructions,
/// but differ between one thread and several, so it gets one thread. Other versions of aom give other bytes, so photos
/// record the version ("AVIF" among the decisions).
final class AVIFPhoto: WholePicture {
    private let metadata: EmbeddedMetadata
    private let coding: LossyCoding
    private let planes: YCbCr10Planes

    /// - Throws: `qualityOutOfRange`, `tooLargeForFormat`, `outOfMemory`.
    init(_ coding: LossyCoding, _ metadata: EmbeddedMetadata) throws(EncodeError) {
        try coding.check()
        self.metadata = metadata
        self.coding = coding
        planes = try YCbCr10Planes(metadata.size)
    }

    var size: PixelSize { planes.size }

    func fill(_ strip: RGBStrip) { planes.fill(strip) }

    func write(to file: any PhotoFile) throws(EncodeError) -> Int {
        let output = try AVIFOutput(planes, coding, metadata)
        return try unsafe file.replace(with: output.bytes)
    }

    /// Peak memory for encoding, in bytes per pixel, including our samples: measured with 1.5, 6 and 24 megapixels
    /// (libavif 0.11.1, aom 3.6.0).
    static let bytesPerPixel = 37

    /// libavif's speed, 0…10: 8 saves 5 % of the bytes in more than twice the time.
    static let speed = 9
}

extension LossyCoding {
    /// AVIF quantizer, 0…63, with about the error of a JPEG of this quality (figures: "AVIF" among the decisions).
    var quantizer: Int { min(63, ((100 - quality) * 23 + 10) / 20) }

    /// ITU-T H.273 code points of primaries and transfer. Adobe RGB has none and needs its profile.
    fileprivate var codePoints: (primaries: UInt16, transfer: UInt16, needsProfile: Bool) {
        switch colourSpace {
        case .sRGB: (1, 13, false)
        case .displayP3: (12, 13, false)
        case .adobeRGB: (2, 2, true)
        }
    }
}

/// The loaded libavif.
public enum AVIFLibrary {
    /// Version, such as "0.11.1".
    public static var version: String { unsafe String(cString: CAVIFVersion()) }

    /// Library versions that decide a photo's bytes: `libavif 0.11.1, aom 3.6.0`.
    public static var encoder: String {
        var text = [CChar](repeating: 0, count: 256)
        unsafe CAVIFCodecs(&text)
        let codecs = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // A comma-separated list, such as `aom [enc/dec]:v3.6.0`.
        let version = codecs.split(separator: ",").lazy.map { $0.drop { $0 == " " } }.first { $0.hasPrefix("aom") }
            .flatMap { $0.split(separator: ":").last }?.drop { $0 == "v" }
        return "libavif \(self.version), aom \(version ?? "of no known version")"
    }
}

@safe private struct AVIFOutput: ~Copyable {
    private let file: CAVIFBytes

    init(_ planes: YCbCr10Planes, _ coding: LossyCoding, _ metadata: EmbeddedMetadata) throws(EncodeError) {
        let points = coding.codePoints
        let (exif, xmp) = (metadata.exif.avifBlock(), metadata.xmp)
        let profile = points.needsProfile ? metadata.profile : []
        var file = unsafe CAVIFBytes()
        let problem = unsafe exif.withUnsafeBufferPointer { exif in
            unsafe xmp.withUnsafeBufferPointer { xmp in
                unsafe profile.withUnsafeBufferPointer { profile in
                    var picture = unsafe CAVIFPicture(
                        width: UInt32(planes.size.width), height: UInt32(planes.size.height),
                        planes: (UnsafePointer(planes.y), UnsafePointer(planes.cb), UnsafePointer(planes.cr)),
                        colourPrimaries: points.primaries,
                        transferCharacteristics: points.transfer,
                        // ITU-R BT.601, as in a JPEG.
                        matrixCoefficients: 6, profile: CAVIFBytes(bytes: profile.baseAddress, count: profile.count),
                        exif: CAVIFBytes(bytes: exif.baseAddress, count: exif.count),
                        xmp: CAVIFBytes(bytes: xmp.baseAddress, count: xmp.count),
                        quantizer: CInt(coding.quantizer), speed: CInt(AVIFPhoto.speed))
                    return unsafe CAVIFEncode(&picture, &file)
                }
            }
        }
        if let problem = unsafe problem { throw .encoderFailed(unsafe String(cString: problem)) }
        unsafe self.file = file
    }

    deinit { unsafe CAVIFFree(file) }

    var bytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: file.bytes, count: file.count) }
}
