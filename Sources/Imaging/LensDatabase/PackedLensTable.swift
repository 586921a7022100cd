public import Digest
public import Lenses

/// A lens table's bytes, and their digest, by which recipes and libraries know it.
public struct PackedLensTable: Hashable, Sendable {
    /// As `LensTable.bytes` has them.
    public let bytes: [UInt8]
    /// Of the bytes.
    public let digest: SHA256Value

    init(bytes: [UInt8]) {
        self.bytes = bytes
        digest = SHA256Value(of: bytes)
    }

    /// The table itself.
    public func table() throws(LensTableError) -> LensTable { try LensTable(bytes: bytes) }
}
