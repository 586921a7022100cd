internal import CDeflate

/// Decompresses a stranger's zlib streams (RFC 1950), one after another with the same state, into memory of a size that is
/// known before. For one thread at a time.
///
/// By libdeflate, which sees the whole output and therefore is faster than zlib, which must be able to stop after every byte.
public final class StreamInflater {
    private let decompressor: OpaquePointer

    /// - Throws: `outOfMemory`.
    public init() throws(CompressionError) {
        guard let decompressor = libdeflate_alloc_decompressor() else { throw .outOfMemory(bytes: 1 << 14) }
        self.decompressor = decompressor
    }

    deinit { libdeflate_free_decompressor(decompressor) }

    /// Fills `output` with the content of the stream that `bytes` begin with. What follows the stream is ignored.
    ///
    /// - Throws: `damaged` for what is no whole stream, and for a wrong checksum; `wrongSize` for a stream that holds more or
    ///   less than the output. The output is undefined then.
    public func inflate(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) {
        // Asked for how many there are, libdeflate looks at the checksum of too few, too.
        var made = 0
        let result = libdeflate_zlib_decompress(
            decompressor, bytes.baseAddress, bytes.count, output.baseAddress, output.count, &made)
        guard result != LIBDEFLATE_INSUFFICIENT_SPACE else { throw .wrongSize(expected: output.count) }
        guard result == LIBDEFLATE_SUCCESS else { throw .damaged }
        guard made == output.count else { throw .wrongSize(expected: output.count) }
    }
}
