import CTurboJPEG
import Glibc
import PictureFormat
import Pixels

/// A TurboJPEG compressor for one picture.
///
/// A handle keeps state of its last picture: tables, errors, interrupted calls. Creating one takes less than a
/// microsecond, so each picture gets its own.
@safe struct TurboHandle: ~Copyable {
    private let handle: tjhandle

    init() throws(EncodeError) {
        Self.ignoreEnvironment
        guard let handle = unsafe tjInitCompress() else { throw .encoderUnavailable }
        unsafe self.handle = handle
    }

    deinit { unsafe tjDestroy(handle) }

    /// TurboJPEG 2.1 reads these variables, but the same input must give the same bytes on every node.
    private static let ignoreEnvironment: Void = {
        for name in ["TJ_OPTIMIZE", "TJ_ARITHMETIC", "TJ_RESTART", "TJ_PROGRESSIVE"] { unsafe unsetenv(name) }
    }()

    static func worstCase(_ size: PixelSize, _ subsampling: JPEGSubsampling) throws(EncodeError) -> Int {
        let bound = tjBufSize(CInt(size.width), CInt(size.height), code(subsampling))
        guard bound > 0, bound < UInt(Int.max) else { throw .tooLarge(size) }
        return Int(bound)
    }

    /// Compresses the planes as a separate picture.
    ///
    /// - Parameters:
    ///   - image: luma of odd width or height includes the padding samples that its coding reads.
    ///   - quality: 1…100, libjpeg's scale.
    ///   - output: at least `worstCase` bytes.
    /// - Returns: the JPEG's size in bytes.
    consuming func compress(
        _ image: JPEGPlanes, quality: Int, output: UnsafeMutableRawPointer
    ) throws(EncodeError) -> Int {
        var planes: [UnsafePointer<UInt8>?] = unsafe [
            UnsafePointer(image.luma), UnsafePointer(image.cb), UnsafePointer(image.cr),
        ]
        let strides = [image.lumaStride, image.chromaStride, image.chromaStride].map { CInt($0) }
        var destination: UnsafeMutablePointer<UInt8>? = unsafe output.assumingMemoryBound(to: UInt8.self)
        var byteCount: UInt = 0
        // The accurate transform gives the same bytes on every processor and adds no rounding noise to the grain.
        let flags = TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT
        let status = unsafe tjCompressFromYUVPlanes(
            handle, &planes, CInt(image.size.width), strides, CInt(image.size.height), Self.code(image.subsampling),
            &destination, &byteCount, CInt(quality), flags)
        guard status == 0 else { throw .encoderFailed(lastMessage) }
        return Int(byteCount)
    }

    static func greyWorstCase(_ size: PixelSize) throws(EncodeError) -> Int {
        let bound = tjBufSize(CInt(size.width), CInt(size.height), CInt(TJSAMP_GRAY.rawValue))
        guard bound > 0, bound < UInt(Int.max) else { throw .tooLarge(size) }
        return Int(bound)
    }

    /// Compresses one plane as a greyscale picture.
    ///
    /// - Parameters:
    ///   - quality: 1…100, libjpeg's scale.
    ///   - output: at least `greyWorstCase` bytes.
    /// - Returns: the JPEG's size in bytes.
    consuming func compress(
        grey plane: borrowing Plane<UInt8>, quality: Int, output: UnsafeMutableRawPointer
    ) throws(EncodeError) -> Int {
        var planes: [UnsafePointer<UInt8>?] = unsafe [UnsafePointer(plane.row(0))]
        var destination: UnsafeMutablePointer<UInt8>? = unsafe output.assumingMemoryBound(to: UInt8.self)
        var byteCount: UInt = 0
        let status = unsafe tjCompressFromYUVPlanes(
            handle, &planes, CInt(plane.width), [CInt(plane.strideSamples)], CInt(plane.height),
            CInt(TJSAMP_GRAY.rawValue), &destination, &byteCount, CInt(quality), TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
        guard status == 0 else { throw .encoderFailed(lastMessage) }
        return Int(byteCount)
    }

    private static func code(_ subsampling: JPEGSubsampling) -> CInt {
        switch subsampling {
        case .quarter: CInt(TJSAMP_420.rawValue)
        case .half: CInt(TJSAMP_422.rawValue)
        case .full, .auto: CInt(TJSAMP_444.rawValue)
        }
    }

    private var lastMessage: String {
        guard let text = unsafe tjGetErrorStr2(handle) else { return "unknown error" }
        return unsafe String(cString: text)
    }
}
