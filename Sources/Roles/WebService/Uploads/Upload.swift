/// A file that a client sends in parts.
public struct Upload: Hashable, Sendable {
    /// 32 hexadecimal digits.
    public let id: String
    /// The length of the whole file in bytes.
    public let lengthBytes: UInt64
    /// What the client says of it: `filename`, and whatever it likes.
    public let metadata: [String: String]
    /// How much is on disk.
    public var offset: UInt64

    /// True when all of it is on disk.
    public var isComplete: Bool { offset == lengthBytes }
}
