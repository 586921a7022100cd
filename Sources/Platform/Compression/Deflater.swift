internal import CZlib

/// Compresses pieces of a picture independently of each other with zlib: threads can share them, and the bytes do not
/// depend on the number of threads. Searches only for runs of one byte (`Z_RLE`): filtered 16-bit samples hold the
/// sensor's noise, in which longer searches find nothing and take several times as long (Decision-SixteenBits in the
/// documentation).
///
/// Safe: zlib's state is private, initialised by `init` and ended by `deinit`.
@safe public final class Deflater {
    /// The framing of a compressed piece.
    public enum Framing {
        /// A complete stream with zlib's header and checksum (RFC 1950).
        case zlib
        /// A byte-aligned part of a raw stream (RFC 1951).
        case raw
    }

    private let framing: Framing
    private var stream = unsafe z_stream()

    /// - Throws: `outOfMemory`.
    public init(_ framing: Framing) throws(CompressionError) {
        self.framing = framing
        let windowBits: Int32 = framing == .zlib ? 15 : -15
        let status = unsafe deflateInit2_(
            &stream, 1, Z_DEFLATED, windowBits, 8, Z_RLE, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .outOfMemory(bytes: 1 << 18) }
    }

    deinit { unsafe deflateEnd(&stream) }

    /// The most bytes that `byteCount` bytes can compress to.
    public func worstCase(_ byteCount: Int) -> Int {
        // A flush adds up to five bytes to a complete stream.
        unsafe Int(deflateBound(&stream, UInt(byteCount))) + 16
    }

    /// Compresses a piece into `output`, which has at least `worstCase` bytes. Returns the number of bytes written.
    public func compress(
        _ bytes: UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> Int {
        guard let count = UInt32(exactly: bytes.count), let room = UInt32(exactly: output.count),
            unsafe deflateReset(&stream) == Z_OK
        else { throw .failed("a piece is too large for zlib") }
        unsafe stream.next_in = bytes.bindMemory(to: UInt8.self).baseAddress
        unsafe stream.avail_in = count
        unsafe stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
        unsafe stream.avail_out = room
        let status = unsafe deflate(&stream, framing == .zlib ? Z_FINISH : Z_FULL_FLUSH)
        guard status == (framing == .zlib ? Z_STREAM_END : Z_OK), unsafe stream.avail_in == 0,
            unsafe stream.avail_out > 0
        else {
            throw .failed("zlib did not compress a piece")
        }
        return unsafe Int(room - stream.avail_out)
    }

    /// Compresses a few bytes to a complete zlib stream.
    public static func zlib(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        let deflater = try Deflater(.zlib)
        var copy = bytes
        var output = [UInt8](repeating: 0, count: deflater.worstCase(bytes.count))
        var result: Result<Int, CompressionError> = .success(0)
        unsafe copy.withUnsafeMutableBytes { copy in
            unsafe output.withUnsafeMutableBytes { output in
                do throws(CompressionError) {
                    result = unsafe .success(try deflater.compress(copy, into: output))
                } catch {
                    result = .failure(error)
                }
            }
        }
        return Array(output[..<(try result.get())])
    }
}
