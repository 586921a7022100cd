internal import CDeflate
internal import CZlib

/// zlib's checksums, by libdeflate, which vectorises them.
public enum Checksum {
    /// CRC-32 (ISO 3309, as in PNG), continued from `start`.
    public static func crc32(_ bytes: UnsafeRawBufferPointer, after start: UInt32 = 0) -> UInt32 {
        unsafe libdeflate_crc32(start, bytes.baseAddress, bytes.count)
    }

    /// Adler-32 (RFC 1950).
    public static func adler32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        unsafe libdeflate_adler32(1, bytes.baseAddress, bytes.count)
    }

    /// Combines the Adler-32 of two runs of bytes. `byteCount` is the length of the second.
    public static func adler32(_ first: UInt32, then second: UInt32, byteCount: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: adler32_combine(UInt(first), UInt(second), byteCount))
    }
}
