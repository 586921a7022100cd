public import Digest
public import Jobs
internal import PictureFormat

extension LibraryStore {
    /// The rendition whose key has a digest; nil if the library has none.
    ///
    /// - Throws: `LibraryError`.
    public func rendition(named digest: SHA256Value) throws -> RenditionRecord? {
        for format in PhotoFormat.allCases {
            if let record = try renditions.record(RenditionKey(digest: digest, format: format)) { return record }
        }
        return nil
    }

    /// Every path at which the RAW of a rendition was seen, and the library's own copy of it.
    ///
    /// - Throws: `LibraryError`.
    public func raws(of record: RenditionRecord) throws -> [FileReference] {
        try raws(of: record.asset, rendition: record.key)
    }
}
