import CLibRaw
import Metadata
import PictureFormat
import Pixels

/// A file that LibRaw has open. For one thread at a time.
///
/// Making one takes 20 µs and opening a file 50 µs, so nothing is kept between files.
///
/// `@safe`: the handle is private, valid until `deinit`, and destroyed only there.
@safe final class LibRawFile {
    private let handle: OpaquePointer

    /// - Parameter isSecondReading: true to find out what LibRaw wrote: see `hasSameSamples(as:)`.
    /// - Throws: `outOfMemory`.
    init(isSecondReading: Bool = false) throws(DecodeError) {
        guard let handle = unsafe CLibRawCreate(isSecondReading ? 1 : 0) else { throw .outOfMemory }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe CLibRawDestroy(handle) }

    /// Identifies one frame, and gathers all fields that LibRaw reads on the way.
    ///
    /// - Parameters:
    ///   - bytes: must stay in place, unchanged, while this value lives.
    ///   - replacements: what LibRaw reads in the place of some of them.
    func open(
        _ bytes: UnsafeRawBufferPointer, frame: Int, limits: DecodeLimits, replacing replacements: [ReplacedByte] = []
    ) -> (LibRawStatus, [LibRawField]) {
        let replaced = replacements.map { CLibRawReplacement(offset: UInt64($0.offset), byte: $0.byte) }
        let collector = unsafe LibRawFieldCollector(bytes)
        let megabytes = UInt32(clamping: max(1, limits.memoryBytes >> 20))
        let context = unsafe Unmanaged.passUnretained(collector).toOpaque()
        let code = withExtendedLifetime(collector) {
            unsafe CLibRawOpen(
                handle, bytes.baseAddress, bytes.count, replaced, replaced.count, UInt32(clamping: frame), megabytes,
                collectLibRawField, context)
        }
        return (LibRawStatus(code: code), collector.fields)
    }

    /// What LibRaw knows about the frame now. Unpacking changes some of it.
    var facts: LibRawFacts { unsafe LibRawFacts(CLibRawGetFacts(handle)) }

    /// The black level, which LibRaw may measure while it unpacks.
    var black: LibRawBlack {
        unsafe LibRawBlack(CLibRawGetFacts(handle)) { unsafe CLibRawBlackOfBlock(handle, UInt32(clamping: $0)) }
    }

    /// What LibRaw looks stored values up in, where a format has such a curve: 65,536 entries.
    var curve: [UInt16] { unsafe Array(UnsafeBufferPointer(start: CLibRawCurve(handle), count: 65_536)) }

    /// One of the texts of the file; empty where it has none.
    func text(_ text: LibRawText) -> String { unsafe String(cString: CLibRawGetText(handle, text.code)) }

    /// The XMP packet, without the NULs that LibRaw and some programs put behind it.
    var xmp: [UInt8]? {
        var count = 0
        guard let start = unsafe CLibRawXMP(handle, &count), count > 0 else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        let end = unsafe bytes.lastIndex { $0 != 0 } ?? -1
        return end < 0 ? nil : unsafe [UInt8](bytes[...end])
    }

    /// Decompresses the samples.
    ///
    /// Some of LibRaw's decoders return without having done anything, and report success.
    ///
    /// - Returns: how the call ended, and whether it is beyond doubt that all samples of the picture were written.
    func unpack() -> (status: LibRawStatus, isAccounted: Bool) {
        var account = CLibRawAccount()
        let status = unsafe LibRawStatus(code: CLibRawUnpack(handle, &account))
        return (status, account.isAccounted != 0 && account.unwrittenSamples == 0 && account.missingBytes == 0)
    }

    /// Does all that follows LibRaw's own decompression, such as measuring black, with samples that were decompressed
    /// elsewhere.
    func adopt(_ plane: borrowing Plane<UInt16>) -> LibRawStatus {
        unsafe LibRawStatus(code: CLibRawAdopt(handle, plane.row(0), UInt32(clamping: plane.strideSamples * 2)))
    }

    /// - Throws: what a failed call means, or `damagedSamples` after one that met errors and went on.
    func check(_ status: LibRawStatus) throws(DecodeError) {
        guard status == .success else { throw status.unpackFailure }
        guard facts.dataErrors <= 0 else { throw .damagedSamples }
    }

    /// Lends the samples as `unpack()` left them: one, three or four a pixel over the whole sensor.
    ///
    /// - Returns: nil also where there are none.
    func withSamples<Result: ~Copyable>(_ body: (LibRawSamples) -> Result?) -> Result? {
        let facts = facts
        let forms = unsafe [(1, CLibRawSingle(handle)), (3, CLibRawTriple(handle)), (4, CLibRawQuadruple(handle))]
        for unsafe(samplesPerPixel, start) in unsafe forms {
            guard let start = unsafe start else { continue }
            let (width, height) = (facts.sensorSize.width * samplesPerPixel, facts.sensorSize.height)
            let stride = max(facts.rowBytes / 2, width)
            let count = height > 0 ? (height - 1) * stride + width : 0
            return unsafe body(
                LibRawSamples(
                    samples: UnsafeBufferPointer(start: start, count: count), size: facts.sensorSize,
                    samplesPerPixel: samplesPerPixel, strideSamples: stride))
        }
        return nil
    }

    /// Interpolates to three or four linear colours.
    ///
    /// - Parameter multipliers: four, for red, green, blue and the second green.
    func interpolate(multipliers: [Float], toSRGB: Bool) -> LibRawStatus {
        unsafe LibRawStatus(code: CLibRawInterpolate(handle, multipliers, toSRGB ? 1 : 0))
    }

    /// Lends the interpolated picture, four samples a pixel.
    ///
    /// - Returns: nil also where there is none.
    func withInterpolated<Result: ~Copyable>(_ body: (LibRawSamples) -> Result?) -> Result? {
        var width: UInt32 = 0
        var height: UInt32 = 0
        guard let start = unsafe CLibRawInterpolated(handle, &width, &height), width > 0, height > 0 else { return nil }
        let size = PixelSize(width: Int(width), height: Int(height))
        return unsafe body(
            LibRawSamples(
                samples: UnsafeBufferPointer(start: start, count: size.pixelCount * 4), size: size,
                samplesPerPixel: 4, strideSamples: size.width * 4))
    }

    /// The embedded picture, as the file has it; nil where there is none or it is larger than `maxByteCount`.
    func thumbnail(maxByteCount: Int) -> LibRawThumbnail? {
        var found = unsafe CLibRawThumbnail()
        guard unsafe CLibRawUnpackThumbnail(handle, &found) == 0, let start = unsafe found.bytes,
            unsafe found.byteCount > 0,
            unsafe Int(found.byteCount) <= maxByteCount
        else { return nil }
        let bytes = unsafe [UInt8](UnsafeBufferPointer(start: start, count: Int(found.byteCount)))
        let size = unsafe PixelSize(width: Int(found.width), height: Int(found.height))
        switch unsafe found.format {
        case 1: return LibRawThumbnail(format: .jpeg, bytes: bytes, size: size)
        case 2: return LibRawThumbnail(format: .rgb8, bytes: bytes, size: size)
        default: return nil
        }
    }
}

/// Samples in LibRaw's memory.
///
/// `@safe`: lent for the call of `withSamples`, which keeps the file open.
@safe struct LibRawSamples {
    /// Up to the last sample of the last row.
    let samples: UnsafeBufferPointer<UInt16>
    /// In pixels.
    let size: PixelSize
    /// 1, 3 or 4.
    let samplesPerPixel: Int
    /// From one row to the next.
    let strideSamples: Int
}

/// The picture embedded in a RAW, as LibRaw finds it.
struct LibRawThumbnail {
    let format: EmbeddedPreview.Format
    let bytes: [UInt8]
    /// As the RAW states it.
    let size: PixelSize
}

/// The texts LibRaw reads from a file.
enum LibRawText {
    case make, model, normalizedMake, normalizedModel, artist, description, bodySerial, lens, decoderName

    fileprivate var code: CLibRawText {
        switch self {
        case .make: CLibRawMake
        case .model: CLibRawModel
        case .normalizedMake: CLibRawNormalizedMake
        case .normalizedModel: CLibRawNormalizedModel
        case .artist: CLibRawArtist
        case .description: CLibRawDescription
        case .bodySerial: CLibRawBodySerial
        case .lens: CLibRawLens
        case .decoderName: CLibRawDecoderName
        }
    }
}

/// How a call of LibRaw ended.
enum LibRawStatus: Hashable {
    case success, unsupported, noSuchImage, outOfMemory, tooBig, damaged, ended
    case other(Int32)

    fileprivate init(code: Int32) {
        self =
            switch Int(code) {
            case CLibRawSuccess: .success
            case CLibRawFileUnsupported: .unsupported
            case CLibRawNoSuchImage: .noSuchImage
            case CLibRawOutOfMemory: .outOfMemory
            case CLibRawTooBig, CLibRawPoolOverflow: .tooBig
            case CLibRawDataError: .damaged
            case CLibRawInputError: .ended
            default: .other(code)
            }
    }
}
