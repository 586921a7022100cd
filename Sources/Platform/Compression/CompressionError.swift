/// Why bytes could not be compressed or decompressed.
public enum CompressionError: Error, Hashable, Sendable, CustomStringConvertible {
    case outOfMemory(bytes: Int)
    /// A zlib failure, as part of a sentence.
    case failed(String)
    /// Truncated, malformed, or with a wrong checksum.
    case damaged
    case wrongSize(expected: Int)

    /// What went wrong, as part of a sentence.
    public var description: String {
        switch self {
        case .outOfMemory(let bytes): "no memory for \(bytes) bytes"
        case .failed(let message): message
        case .damaged: "its compressed data are damaged or cut off"
        case .wrongSize(let expected): "its compressed data do not hold the \(expected) bytes that they should"
        }
    }
}
