public import Digest
public import Jobs

/// Locates a rendition in the tables. The key alone is unique, but it is random, and rows are ordered by asset.
public struct RenditionID: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// Names the rendition's files.
    public let key: RenditionKey

    /// Memberwise initializer.
    public init(asset: SHA256Value, key: RenditionKey) {
        self.asset = asset
        self.key = key
    }
}

extension RenditionRecord {
    /// The rendition's asset and key.
    public var id: RenditionID { RenditionID(asset: asset, key: key) }
}
