internal import CZlib

/// Decompresses a stranger's zlib streams (RFC 1950), one after another with the same state, into memory of a size that is
/// known before. For one thread at a time.
public final class StreamInflater {
    private var stream = z_stream()

    /// - Throws: `outOfMemory`.
    public init() throws(CompressionError) {
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .outOfMemory(bytes: 1 << 16)
        }
    }

    deinit { inflateEnd(&stream) }

    /// Fills `output` with the content of the stream that `bytes` begin with. What follows the stream is ignored.
    ///
    /// - Throws: `damaged` for what is no whole stream, and for a wrong checksum; `wrongSize` for a stream that holds more or
    ///   less than the output.
    public func inflate(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) {
        guard let count = UInt32(exactly: bytes.count), let room = UInt32(exactly: output.count),
            inflateReset(&stream) == Z_OK
        else { throw .damaged }
        // The pointers are used in the calls below alone.
        defer { (stream.next_in, stream.next_out) = (nil, nil) }
        // zlib does not write to its input.
        stream.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = count
        stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.avail_out = room
        var status = CZlib.inflate(&stream, Z_FINISH)
        guard status == Z_STREAM_END || status == Z_BUF_ERROR else { throw .damaged }
        if status == Z_BUF_ERROR, stream.avail_out == 0 {
            // The output may be full before the stream's end was read. One byte more shows whether it holds more.
            var spare: UInt8 = 0
            withUnsafeMutablePointer(to: &spare) { spare in
                stream.next_out = spare
                stream.avail_out = 1
                status = CZlib.inflate(&stream, Z_FINISH)
            }
            guard stream.avail_out == 1 else { throw .wrongSize(expected: output.count) }
            stream.avail_out = 0
        }
        guard status == Z_STREAM_END else { throw .damaged }
        guard stream.avail_out == 0 else { throw .wrongSize(expected: output.count) }
    }
}
