/// A file that a client sends in parts.
public struct Upload: Hashable, Sendable {
    /// 32 hexadecimal digits.
    public let id: String
    /// Length of the whole file in bytes.
    public let lengthBytes: UInt64
    /// The client's metadata: `filename`, and any other fields.
    public let metadata: [String: String]
    /// Bytes on disk.
    public var offset: UInt64

    /// Whether all bytes are on disk.
    public var isComplete: Bool { offset == lengthBytes }
}
