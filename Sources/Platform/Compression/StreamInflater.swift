internal import CDeflate

/// Decompresses untrusted zlib streams (RFC 1950) of known size, reusing its state. Not thread-safe. libdeflate is
/// faster than zlib because it sees the whole output and cannot stop in the middle.
///
/// Safe: the pointer is private and valid as long as the object.
@safe public final class StreamInflater {
    private let decompressor: OpaquePointer

    /// - Throws: `outOfMemory`.
    public init() throws(CompressionError) {
        guard let decompressor = unsafe libdeflate_alloc_decompressor() else { throw .outOfMemory(bytes: 1 << 14) }
        unsafe self.decompressor = decompressor
    }

    deinit { unsafe libdeflate_free_decompressor(decompressor) }

    /// Fills `output` with the content of the stream at the start of `bytes`; ignores what follows the stream. Throws
    /// `damaged` for an incomplete stream or a wrong checksum, `wrongSize` if it does not fill the output exactly. The
    /// output is then undefined.
    public func inflate(
        _ bytes: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CompressionError) {
        // With the count requested, libdeflate verifies the checksum of short streams too.
        var made = 0
        let result = unsafe libdeflate_zlib_decompress(
            decompressor, bytes.baseAddress, bytes.count, output.baseAddress, output.count, &made)
        guard result != LIBDEFLATE_INSUFFICIENT_SPACE else { throw .wrongSize(expected: output.count) }
        guard result == LIBDEFLATE_SUCCESS else { throw .damaged }
        guard made == output.count else { throw .wrongSize(expected: output.count) }
    }
}
