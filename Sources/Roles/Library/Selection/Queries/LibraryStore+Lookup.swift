public import Digest
public import Jobs

extension LibraryStore {
    /// The rendition whose key has a digest; nil if the library has none.
    ///
    /// - Throws: `LibraryError`.
    public func rendition(named digest: SHA256Value) throws -> RenditionRecord? {
        try renditions.find([digest]).first.flatMap { try renditions.record($0) }
    }

    /// Every path at which the RAW of a rendition was seen, and the library's own copy of it.
    ///
    /// - Throws: `LibraryError`.
    public func raws(of record: RenditionRecord) throws -> [FileReference] {
        try raws(of: record.asset, rendition: record.key)
    }
}
