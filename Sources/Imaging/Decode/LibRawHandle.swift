import CLibRaw
import PictureFormat
import Pixels

/// LibRaw with one file open. Making one takes 20 µs and opening a file 50 µs, so nothing is kept warm between files.
struct LibRawHandle: ~Copyable {
    private let handle: OpaquePointer

    init() throws(DecodeError) {
        guard let handle = CLibRawCreate() else { throw .outOfMemory }
        self.handle = handle
    }

    deinit { CLibRawDestroy(handle) }

    /// Identifies one frame. `bytes` must stay in place while this handle is used.
    /// - Returns: LibRaw's status.
    func open(
        _ bytes: UnsafeRawBufferPointer, frame: Int, limits: DecodeLimits, tags: TagCollector
    ) -> LibRawStatus {
        let megabytes = UInt32(clamping: max(1, limits.memoryBytes >> 20))
        let context = Unmanaged.passUnretained(tags).toOpaque()
        let code = CLibRawOpen(
            handle, bytes.baseAddress, bytes.count, UInt32(clamping: frame), megabytes, collectTag, context)
        return LibRawStatus(code: code)
    }

    var facts: CLibRawFacts { CLibRawGetFacts(handle) }

    func text(_ which: CLibRawText) -> String { String(cString: CLibRawGetText(handle, which)) }

    /// Black of one position of the repeating block, beside the colours' own black.
    func blackOfBlock(_ index: Int) -> UInt32 { CLibRawBlackOfBlock(handle, UInt32(clamping: index)) }

    var xmp: [UInt8]? {
        var count = 0
        guard let start = CLibRawXMP(handle, &count), count > 0 else { return nil }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    func unpack() -> LibRawStatus { LibRawStatus(code: CLibRawUnpack(handle)) }

    /// Has LibRaw do all that follows its own decompression, such as measuring black, with samples that are there.
    func adopt(_ plane: borrowing Plane<UInt16>) -> LibRawStatus {
        LibRawStatus(code: CLibRawAdopt(handle, plane.row(0), UInt32(clamping: plane.strideSamples * 2)))
    }

    /// The samples as `unpack()` left them; valid while the handle lives.
    var samples: LibRawSamples {
        if let single = CLibRawSingle(handle) { return .single(single) }
        if let triple = CLibRawTriple(handle) { return .triple(triple) }
        if let quadruple = CLibRawQuadruple(handle) { return .quadruple(quadruple) }
        return .none
    }

    func interpolate(multipliers: [Float], toSRGB: Bool) -> LibRawStatus {
        LibRawStatus(code: CLibRawInterpolate(handle, multipliers, toSRGB ? 1 : 0))
    }

    /// Four samples a pixel; valid while the handle lives.
    var interpolated: (samples: UnsafePointer<UInt16>, size: PixelSize)? {
        var width: UInt32 = 0
        var height: UInt32 = 0
        guard let samples = CLibRawInterpolated(handle, &width, &height), width > 0, height > 0 else { return nil }
        return (samples, PixelSize(width: Int(width), height: Int(height)))
    }

    /// The embedded preview's bytes are valid while the handle lives.
    func thumbnail() -> CLibRawThumbnail? {
        var found = CLibRawThumbnail()
        return CLibRawUnpackThumbnail(handle, &found) == 0 ? found : nil
    }
}

/// Where LibRaw keeps the unpacked samples.
enum LibRawSamples {
    /// One sample a pixel, rows `rawPitchBytes` apart.
    case single(UnsafePointer<UInt16>)
    case triple(UnsafePointer<UInt16>)
    case quadruple(UnsafePointer<UInt16>)
    case none
}

enum LibRawStatus: Hashable {
    case success, unsupported, noSuchImage, outOfMemory, tooBig, damaged, ended
    case other(Int32)

    init(code: Int32) {
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
