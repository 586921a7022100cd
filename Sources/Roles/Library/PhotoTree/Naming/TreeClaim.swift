internal import Digest
internal import Jobs

/// Identifies a file below `photos/`: one variant of one frame of an asset, or the copy of its RAW, at one of the paths where
/// the RAW was seen.
struct TreeEntryID: Hashable, Sendable, Comparable {
    let asset: SHA256Value
    let frame: UInt32
    /// As `RecipeRecord.variant` of the rendition that the file shows; of an edit where another photo of the frame had that
    /// already, of what it was edited from. Empty for the RAW's copy, because no look has an empty name.
    let variant: String
    /// The RAW's path; nil for the one that the rendition itself names.
    var place: FileReference?

    static func originalCopy(of asset: SHA256Value) -> TreeEntryID {
        TreeEntryID(asset: asset, frame: 0, variant: "")
    }

    /// The same file where its rendition itself names it.
    var atMainPlace: TreeEntryID {
        var copy = self
        copy.place = nil
        return copy
    }

    /// The same file at another path of the RAW; nil for the one that the rendition itself names.
    func at(_ place: FileReference?) -> TreeEntryID {
        var copy = self
        copy.place = place
        return copy
    }

    /// Of the sizes of one look, the largest comes first.
    static func < (a: Self, b: Self) -> Bool {
        if a.asset != b.asset { return a.asset < b.asset }
        if a.frame != b.frame { return a.frame < b.frame }
        if a.look != b.look { return a.look < b.look }
        if a.longEdgePixels != b.longEdgePixels { return a.longEdgePixels > b.longEdgePixels }
        if a.variant != b.variant { return a.variant < b.variant }
        guard let first = a.place, let second = b.place else { return a.place == nil && b.place != nil }
        return first.root == second.root ? first.path < second.path : first.root < second.root
    }

    private var look: Substring { variant.prefix { $0 != "." } }

    private var longEdgePixels: UInt32 {
        let parts = variant.split(separator: ".").dropFirst()
        return parts.first { $0.hasSuffix("px") }.flatMap { UInt32($0.dropLast(2)) } ?? .max
    }
}

/// A file of the tree and the names it accepts.
struct TreeClaim: Hashable, Sendable {
    let id: TreeEntryID
    /// The best name first, at most `maxNames`. No other file accepts the last one.
    let names: [RelativePath]
    /// The RAW that the file was made from, as it was then; nil if unknown.
    var raw: FileStamp?

    static let maxNames = 5

    /// A further name that no other file accepts, for a claim whose names people's files have:
    /// `IMG_1.<mark>-2.velvet.jpg`.
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

    /// True if the other file was made from a later state of the RAW at the same location: the RAW was edited, or
    /// another RAW took its name.
    func isSuperseded(by other: TreeClaim) -> Bool {
        guard let raw, let newer = other.raw, raw.file == newer.file else { return false }
        guard id.frame == other.id.frame, id.variant == other.id.variant else { return false }
        return (raw.modifiedNanoseconds, id.asset) < (newer.modifiedNanoseconds, other.id.asset)
    }
}
