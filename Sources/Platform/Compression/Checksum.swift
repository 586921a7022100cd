internal import CDeflate
internal import CZlib

/// zlib's checksums, by libdeflate, which has them in vectors.
public enum Checksum {
    /// Of the bytes after those that `start` is the checksum of (ISO 3309, as PNG has it).
    public static func crc32(_ bytes: UnsafeRawBufferPointer, after start: UInt32 = 0) -> UInt32 {
        libdeflate_crc32(start, bytes.baseAddress, bytes.count)
    }

    /// Adler-32 (RFC 1950).
    public static func adler32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        libdeflate_adler32(1, bytes.baseAddress, bytes.count)
    }

    /// Of two runs of bytes, from that of each.
    public static func adler32(_ first: UInt32, then second: UInt32, byteCount: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: adler32_combine(UInt(first), UInt(second), byteCount))
    }
}
