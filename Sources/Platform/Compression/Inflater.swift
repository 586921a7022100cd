internal import CZlib

/// Decompresses untrusted zlib data of known size.
public enum Inflater {
    /// The content of one zlib stream (RFC 1950) that is stored in pieces.
    ///
    /// - Parameters:
    ///   - pieces: ranges of `bytes`, in order.
    ///   - count: exact size of the content in bytes.
    /// - Throws: `damaged` for an incomplete stream or a wrong checksum; `wrongSize`.
    public static func inflate(
        _ pieces: [Range<Int>], of bytes: [UInt8], count: Int
    ) throws(CompressionError) -> [UInt8] {
        // Deflate compresses at most 1,032 to 1, so a short file cannot reserve much memory.
        let compressed = pieces.reduce(0) { $0 + $1.count }
        guard count >= 0, count / 1032 <= compressed else { throw .wrongSize(expected: count) }
        var stream = unsafe z_stream()
        guard unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .outOfMemory(bytes: 1 << 16)
        }
        defer { unsafe inflateEnd(&stream) }
        // One more byte, to detect streams that hold too much.
        var output = [UInt8](repeating: 0, count: count + 1)
        var made = 0
        var status = Z_OK
        for piece in pieces where status == Z_OK {
            guard piece.lowerBound >= 0, piece.upperBound <= bytes.count, let size = UInt32(exactly: piece.count)
            else { throw .damaged }
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    guard let target = output.baseAddress, let source = bytes.baseAddress else { return }
                    // zlib does not write to its input.
                    unsafe stream.next_in = UnsafeMutablePointer(mutating: source + piece.lowerBound)
                    unsafe stream.avail_in = size
                    repeat {
                        let room = UInt32(clamping: output.count - made)
                        unsafe stream.next_out = target + made
                        unsafe stream.avail_out = room
                        status = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
                        unsafe made += Int(room - stream.avail_out)
                    } while unsafe status == Z_OK && stream.avail_in > 0 && made < output.count
                    unsafe stream.next_in = nil
                    unsafe stream.next_out = nil
                }
            }
            // zlib ran out of input or room; the next piece may continue.
            if status == Z_BUF_ERROR { status = Z_OK }
            guard made <= count else { throw .wrongSize(expected: count) }
        }
        guard status == Z_STREAM_END else { throw .damaged }
        guard made == count else { throw .wrongSize(expected: count) }
        output.removeLast()
        return output
    }
}
