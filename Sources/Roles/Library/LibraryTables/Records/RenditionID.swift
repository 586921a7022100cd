public import Digest
public import Jobs

/// What a rendition is found by in the library's tables. Its key follows from the asset, and no other rendition has it; but rows
/// lie in the order in which assets came, and keys in none.
public struct RenditionID: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// Names the rendition's files.
    public let key: RenditionKey

    /// - Parameters:
    ///   - asset: SHA-256 of the RAW's bytes.
    ///   - key: names the rendition's files.
    public init(asset: SHA256Value, key: RenditionKey) {
        self.asset = asset
        self.key = key
    }
}

extension RenditionRecord {
    /// The rendition's asset and key.
    public var id: RenditionID { RenditionID(asset: asset, key: key) }
}

extension PhotoSummary {
    /// The asset and the key of the rendition that is shown.
    public var id: RenditionID { RenditionID(asset: asset, key: key) }
}
