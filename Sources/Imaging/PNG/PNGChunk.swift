internal import Compression

/// Chunks of PNG files (W3C, "Portable Network Graphics (PNG) Specification", third edition).
public enum PNGChunk {
    /// The first bytes of every PNG file.
    public static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Encodes a chunk from its type and data.
    public static func encoded(_ type: StaticString, _ data: [UInt8]) -> [UInt8] {
        let typed = type.withUTF8Buffer { unsafe Array($0) } + data
        return bytes(UInt32(clamping: data.count)) + typed + bytes(checksum(typed[...]))
    }

    /// Big-endian bytes of a number.
    public static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe Checksum.crc32($0) }
    }
}
