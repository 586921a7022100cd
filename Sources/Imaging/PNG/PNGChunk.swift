internal import Compression

/// The pieces that PNG files are made of (W3C, "Portable Network Graphics (PNG) Specification", third edition).
public enum PNGChunk {
    /// The first bytes of every PNG file.
    public static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A chunk of its type and data.
    public static func encoded(_ type: StaticString, _ data: [UInt8]) -> [UInt8] {
        let typed = type.withUTF8Buffer { unsafe Array($0) } + data
        return bytes(UInt32(clamping: data.count)) + typed + bytes(checksum(typed[...]))
    }

    /// The highest byte first.
    public static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// Of a chunk's type and data.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBytes { unsafe Checksum.crc32($0) }
    }
}
