public import Digest
public import Lenses

/// A lens table's bytes and their digest, which identifies it in recipes and libraries.
public struct PackedLensTable: Hashable, Sendable {
    /// See `LensTable.bytes`.
    public let bytes: [UInt8]
    /// Digest of the bytes.
    public let digest: SHA256Value

    init(bytes: [UInt8]) {
        self.bytes = bytes
        digest = SHA256Value(of: bytes)
    }

    /// Decodes the table.
    public func table() throws(LensTableError) -> LensTable { try LensTable(bytes: bytes) }
}
