import CLibRaw
import Metadata
import PictureFormat
import Pixels

/// A file open in LibRaw. For one thread at a time. Nothing is reused between files: creating a handle takes 20 µs,
/// opening a file 50 µs.
///
/// `@safe`: the handle is private, valid until `deinit`, and destroyed only there.
@safe final class LibRawFile {
    private let handle: OpaquePointer

    /// - Parameter isSecondReading: true to detect unwritten samples; see `hasSameSamples(as:)`.
    init(isSecondReading: Bool = false) throws(DecodeError) {
        guard let handle = unsafe CLibRawCreate(isSecondReading ? 1 : 0) else { throw .outOfMemory }
        unsafe self.handle = unsafe handle
    }

    deinit { unsafe CLibRawDestroy(handle) }

    /// Identifies one frame and collects all fields that LibRaw reads.
    ///
    /// - Parameters:
    ///   - bytes: stay in place, unchanged, while this value lives.
    ///   - replacements: bytes that LibRaw reads instead of the file's.
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

    /// Unpacking changes some facts.
    var facts: LibRawFacts { unsafe LibRawFacts(CLibRawGetFacts(handle)) }

    /// LibRaw may measure black while it unpacks.
    var black: LibRawBlack {
        unsafe LibRawBlack(CLibRawGetFacts(handle)) { unsafe CLibRawBlackOfBlock(handle, UInt32(clamping: $0)) }
    }

    /// Look-up curve of formats that have one: 65,536 entries.
    var curve: [UInt16] { unsafe Array(UnsafeBufferPointer(start: CLibRawCurve(handle), count: 65_536)) }

    /// Empty if absent.
    func text(_ text: LibRawText) -> String { unsafe String(cString: CLibRawGetText(handle, text.code)) }

    /// The XMP packet without the NULs that LibRaw and some programs append.
    var xmp: [UInt8]? {
        var count = 0
        guard let start = unsafe CLibRawXMP(handle, &count), count > 0 else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        let end = unsafe bytes.lastIndex { $0 != 0 } ?? -1
        return end < 0 ? nil : unsafe [UInt8](bytes[...end])
    }

    /// Decompresses the samples. Some of LibRaw's decoders return early and report success, so the result also states
    /// whether all samples of the picture were certainly written.
    func unpack() -> (status: LibRawStatus, isAccounted: Bool) {
        var account = CLibRawAccount()
        let status = unsafe LibRawStatus(code: CLibRawUnpack(handle, &account))
        return (status, account.isAccounted != 0 && account.unwrittenSamples == 0 && account.missingBytes == 0)
    }

    /// Runs LibRaw's steps after decompression, such as measuring black, on samples decompressed elsewhere.
    func adopt(_ plane: borrowing Plane<UInt16>) -> LibRawStatus {
        unsafe LibRawStatus(code: CLibRawAdopt(handle, plane.row(0), UInt32(clamping: plane.strideSamples * 2)))
    }

    /// Also throws `damagedSamples` if LibRaw ignored errors.
    func check(_ status: LibRawStatus) throws(DecodeError) {
        guard status == .success else { throw status.unpackFailure }
        guard facts.dataErrors <= 0 else { throw .damagedSamples }
    }

    /// Lends the samples of `unpack()`: one, three or four per pixel over the whole sensor. Nil if there are none.
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

    /// Interpolates to three or four linear colours. The multipliers are for red, green, blue and the second green.
    func interpolate(multipliers: [Float], toSRGB: Bool) -> LibRawStatus {
        unsafe LibRawStatus(code: CLibRawInterpolate(handle, multipliers, toSRGB ? 1 : 0))
    }

    /// Lends the interpolated picture, four samples per pixel. Nil if there is none.
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

    /// The unchanged embedded picture; nil if absent or larger than `maxByteCount`.
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

/// `@safe`: borrowed during `withSamples`, which keeps the file open.
@safe struct LibRawSamples {
    /// Ends with the last sample of the last row.
    let samples: UnsafeBufferPointer<UInt16>
    /// In pixels.
    let size: PixelSize
    /// 1, 3 or 4.
    let samplesPerPixel: Int
    let strideSamples: Int
}

struct LibRawThumbnail {
    let format: EmbeddedPreview.Format
    let bytes: [UInt8]
    /// According to the RAW.
    let size: PixelSize
}

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
