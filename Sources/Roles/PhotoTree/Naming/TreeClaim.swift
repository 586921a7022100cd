internal import Digest
package import Jobs
package import LibraryTables

/// A file of the tree and the names it accepts.
package struct TreeClaim: Hashable, Sendable {
    package let id: TreeEntryID
    /// The best name first, at most `maxNames`. No other file accepts the last one.
    package let names: [RelativePath]
    /// The RAW that the file was made from, as it was then; nil if unknown.
    package var raw: FileStamp?

    static let maxNames = 5

    /// A further name that no other file accepts, if users' files have the others: `IMG_1.<mark>-2.velvet.jpg`.
    func numberedName(_ number: Int) -> RelativePath {
        let mark = Array(id.asset.description.prefix(16).utf8)
        for name in names.suffix(2) where name.name.count <= 240 {
            let bytes = name.bytes
            let folder = bytes.count - name.name.count
            let starts = stride(from: bytes.count - mark.count, through: folder, by: -1)
            guard let start = starts.first(where: { bytes[$0..<($0 + mark.count)].elementsEqual(mark) }) else {
                continue
            }
            let end = start + mark.count
            if let path = RelativePath(bytes: bytes[..<end] + Array("-\(number)".utf8) + bytes[end...]) { return path }
        }
        return TreeNaming.numbered(id, number)
    }

    /// True if the other file was made from a later state of the RAW at the same location.
    func isSuperseded(by other: TreeClaim) -> Bool {
        guard let raw, let newer = other.raw, raw.file == newer.file else { return false }
        guard id.frame == other.id.frame, id.variant == other.id.variant else { return false }
        return (raw.modifiedNanoseconds, id.asset) < (newer.modifiedNanoseconds, other.id.asset)
    }
}
