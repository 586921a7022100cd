import CTurboJPEG
import PictureFormat

/// Losslessly recodes a JPEG as progressive (ITU-T T.81, annex G), with Huffman tables optimised for each pass.
///
/// Uses 2 bytes of memory per sample for the coefficients.
@safe struct ProgressiveTransform: ~Copyable {
    private let handle: tjhandle

    init() throws(EncodeError) {
        guard let handle = unsafe tjInitTransform() else { throw .encoderUnavailable }
        unsafe self.handle = handle
    }

    deinit { unsafe tjDestroy(handle) }

    /// - Parameters:
    ///   - jpeg: a complete file. Its metadata is dropped.
    ///   - output: memory for the result.
    ///   - capacity: size of `output` in bytes.
    consuming func run(
        _ jpeg: UnsafeRawBufferPointer, output: UnsafeMutableRawPointer, capacity: Int
    ) throws(EncodeError) -> Int {
        var transform = unsafe tjtransform()
        unsafe transform.op = CInt(TJXOP_NONE.rawValue)
        unsafe transform.options = TJXOPT_PROGRESSIVE | TJXOPT_COPYNONE
        var destination: UnsafeMutablePointer<UInt8>? = unsafe output.assumingMemoryBound(to: UInt8.self)
        var byteCount = UInt(capacity)
        let status = unsafe tjTransform(
            handle, jpeg.bindMemory(to: UInt8.self).baseAddress, UInt(jpeg.count), 1, &destination, &byteCount,
            &transform,
            TJFLAG_NOREALLOC)
        guard status == 0 else {
            throw unsafe .encoderFailed(tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? "unknown error")
        }
        return Int(byteCount)
    }
}
