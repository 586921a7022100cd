internal import Digest
internal import Jobs
internal import Manifests

/// The names a rendition asks for below `photos/`.
///
/// `photos/<root>/<folder>/<base>.<look>.jpg`, and `<base>.2.<look>.jpg` for the second frame: the base name ends at
/// the first dot added, because programs that pair a JPEG with its RAW compare up to there. A RAW that stands in the
/// library's tree itself has its photo beside it.
enum TreeNaming {
    /// What a file system takes for one name.
    private static let longestNameBytes = 255
    /// No root has a name like this one, so what stands below is nobody's first wish.
    private static let reserved = "\(LibraryLayout.photos)/.unnamed"

    /// Where the photo of a rendition wants to stand, the best name first.
    static func photo(_ record: RenditionRecord) -> TreeClaim {
        let owner = TreeEntryID(asset: record.asset, frame: record.frame, look: record.recipe.look)
        let ending = "\(record.frame == 0 ? "" : ".\(UInt64(record.frame) + 1)").\(record.recipe.look).jpg"
        let home = possible(home(of: record.original.file))
        let mark = String(record.asset.description.prefix(16))
        let names = [
            name(in: home, base(record), ending),
            fileExtension(of: record).flatMap { name(in: home, base(record), ".\($0)\(ending)") },
            name(in: home, base(record), ".\(mark)\(ending)"),
        ]
        return TreeClaim(
            owner: owner, names: names.compactMap { $0 } + [last("\(record.asset)\(ending)")], raw: record.original)
    }

    /// Where the copy of a RAW wants to stand: beside the photo, under the RAW's own name.
    static func original(_ copy: OriginalCopy, as raw: FileStamp) -> TreeClaim {
        let file = raw.file
        let home = possible(home(of: file))
        let whole = file.path.name
        let stem = whole.lastIndex(of: UInt8(ascii: ".")).map { Array(whole[..<$0]) } ?? whole
        let mark = String(copy.asset.description.prefix(16))
        let names = [
            whole.count > longestNameBytes ? nil : home?.appending(whole),
            name(in: home, stem.isEmpty ? whole : stem, ".\(mark).\(copy.fileExtension)"),
        ]
        return TreeClaim(
            owner: .original(copy.asset),
            names: names.compactMap { $0 } + [last("\(copy.asset).\(copy.fileExtension)")],
            raw: raw)
    }

    /// The folder of the tree a RAW's photos stand in.
    static func home(of original: FileReference) -> RelativePath {
        if original.root == .library, let folder = treeFolder(original.path.folder) { return folder }
        let top = path("\(LibraryLayout.photos)/\(original.root)")
        return original.path.folder.flatMap { top.appending($0.bytes) } ?? top
    }

    /// The folder itself where it is one of the tree: `photos/<root>` or below.
    private static func treeFolder(_ folder: RelativePath?) -> RelativePath? {
        let parts = folder?.bytes.split(separator: UInt8(ascii: "/"), maxSplits: 2) ?? []
        guard parts.count >= 2, parts[0].elementsEqual(LibraryLayout.photos.utf8),
            RootName(String(decoding: parts[1], as: UTF8.self)) != nil
        else { return nil }
        return folder
    }

    private static func base(_ record: RenditionRecord) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        // A base is one part of a path; one that is not cannot have come from a file's name.
        let plain = record.photoBase.filter { $0 != slash && $0 != 0 }
        return plain.isEmpty ? Array("\(record.asset.description.prefix(16))".utf8) : plain
    }

    /// The RAW's extension, unless the base has it already.
    private static func fileExtension(of record: RenditionRecord) -> String? {
        let name = record.original.file.path.name
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, !record.photoBase.elementsEqual(name) else {
            return nil
        }
        let text = String(decoding: name[(dot + 1)...], as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    /// Nil for a folder of which a part is too long to be a name: where RAWs stand, characters may be counted.
    private static func possible(_ folder: RelativePath) -> RelativePath? {
        let isLong = folder.bytes.split(separator: UInt8(ascii: "/")).contains { $0.count > longestNameBytes }
        return isLong ? nil : folder
    }

    /// Nil where there is no folder, or the path would be too long. A base that is too long is cut, at a character.
    private static func name(in folder: RelativePath?, _ base: [UInt8], _ ending: String) -> RelativePath? {
        guard let folder else { return nil }
        var end = max(0, min(base.count, longestNameBytes - ending.utf8.count))
        while end > 0, end < base.count, base[end] & 0xC0 == 0x80 { end -= 1 }
        return end == 0 ? nil : folder.appending(base[..<end] + Array(ending.utf8))
    }

    private static func last(_ name: String) -> RelativePath { path("\(reserved)/\(name)") }

    private static func path(_ text: String) -> RelativePath {
        guard let path = RelativePath(text) else { preconditionFailure("a name made of hashes and looks is a path") }
        return path
    }
}
