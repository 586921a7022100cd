internal import CZlib

/// Compresses pieces of a picture with zlib, one after another, each without a look at the others: so threads can share
/// them, and the bytes are the same for any number of threads.
///
/// Only runs of one byte are searched (`Z_RLE`). Filtered samples of 16 bits hold the sensor's noise, in which longer
/// searches find nothing and take several times the time (Decision-SixteenBits in the documentation).
public final class Deflater {
    /// What a piece becomes.
    public enum Framing {
        /// A whole stream, with zlib's header and checksum (RFC 1950).
        case zlib
        /// Whole bytes of a stream that goes on (RFC 1951).
        case raw
    }

    private let framing: Framing
    private var stream = z_stream()

    /// - Throws: `outOfMemory`.
    public init(_ framing: Framing) throws(CompressionError) {
        self.framing = framing
        let windowBits: Int32 = framing == .zlib ? 15 : -15
        let status = deflateInit2_(
            &stream, 1, Z_DEFLATED, windowBits, 8, Z_RLE, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .outOfMemory(bytes: 1 << 18) }
    }

    deinit { deflateEnd(&stream) }

    /// The most bytes that a piece of `byteCount` bytes can take.
    public func worstCase(_ byteCount: Int) -> Int {
        // A flush adds up to five bytes to what a whole stream would take.
        Int(deflateBound(&stream, UInt(byteCount))) + 16
    }

    /// Compresses a piece.
    ///
    /// - Parameter output: has `worstCase` bytes.
    /// - Returns: how many were written.
    public func compress(
        _ bytes: UnsafeMutableRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) -> Int {
        guard let count = UInt32(exactly: bytes.count), let room = UInt32(exactly: output.count),
            deflateReset(&stream) == Z_OK
        else { throw .failed("a piece is too large for zlib") }
        stream.next_in = bytes.bindMemory(to: UInt8.self).baseAddress
        stream.avail_in = count
        stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = room
        let status = deflate(&stream, framing == .zlib ? Z_FINISH : Z_FULL_FLUSH)
        guard status == (framing == .zlib ? Z_STREAM_END : Z_OK), stream.avail_in == 0, stream.avail_out > 0 else {
            throw .failed("zlib did not compress a piece")
        }
        return Int(room - stream.avail_out)
    }

    /// A whole zlib stream of a few bytes.
    public static func zlib(_ bytes: [UInt8]) throws(CompressionError) -> [UInt8] {
        let deflater = try Deflater(.zlib)
        var copy = bytes
        var output = [UInt8](repeating: 0, count: deflater.worstCase(bytes.count))
        var result: Result<Int, CompressionError> = .success(0)
        copy.withUnsafeMutableBytes { copy in
            output.withUnsafeMutableBytes { output in
                do throws(CompressionError) { result = .success(try deflater.compress(copy, into: output)) } catch {
                    result = .failure(error)
                }
            }
        }
        return Array(output[..<(try result.get())])
    }
}
