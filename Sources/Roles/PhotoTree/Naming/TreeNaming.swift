internal import Digest
package import Jobs
package import LibraryTables
internal import Manifests
internal import PictureFormat

/// The names that a file in `photos/` accepts.
///
/// A photo is `photos/<root>/<folder>/<base>.<look>.jpg`, and `<base>.2.<look>.jpg` for the second frame; or `.tif`, or
/// `.png`. The base name ends at the first dot that Rawmill adds, because programs that pair a JPEG with its RAW
/// compare up to there. The photo of a RAW in the library's tree is beside that RAW.
///
/// Of several sizes or qualities of one look, the largest has that name; the others add theirs:
/// `<base>.<look>.2400px.q80.jpg`.
package enum TreeNaming {
    /// The longest file name that Linux accepts, in bytes.
    private static let maxNameBytes = 255
    /// The folder of last choices. No root can have this name, so it holds no first choice.
    private static let reserved = "\(LibraryLayout.photos)/.unnamed"

    /// The claim of a rendition's photo.
    ///
    /// - Parameters:
    ///   - id: the file that shows the rendition; nil for the file of its variant.
    ///   - sighting: another path of the RAW at which the photo is also shown.
    package static func photo(
        _ record: RenditionRecord, as id: TreeEntryID? = nil, seenAt sighting: Sighting? = nil
    ) -> TreeClaim {
        let original = sighting?.raw ?? record.original
        let photoBase = sighting?.photoBase ?? record.photoBase
        let id = TreeEntryID(
            asset: record.asset, frame: record.frame, variant: id?.variant ?? record.recipe.variant,
            place: sighting?.raw.file)
        let frame = record.frame == 0 ? "" : ".\(UInt64(record.frame) + 1)"
        let fileExtension = record.key.format.fileExtension
        let plain = "\(frame).\(record.recipe.look).\(fileExtension)"
        let ending = "\(frame).\(record.recipe.variant).\(fileExtension)"
        let folder = possible(folder(for: original.file))
        let mark = String(record.asset.description.prefix(16))
        let names = [
            name(in: folder, base(photoBase, of: record.asset), plain),
            ending == plain ? nil : name(in: folder, base(photoBase, of: record.asset), ending),
            Self.fileExtension(of: original.file, photoBase).flatMap {
                name(in: folder, base(photoBase, of: record.asset), ".\($0)\(ending)")
            },
            name(in: folder, base(photoBase, of: record.asset), ".\(mark)\(placeMark(sighting))\(ending)"),
        ]
        return TreeClaim(
            id: id, names: names.compactMap { $0 } + [lastChoice("\(record.asset)\(placeMark(sighting))\(ending)")],
            raw: original)
    }

    /// The claim of a RAW's copy: beside the photo, under the RAW's name.
    ///
    /// - Parameter isPlace: true for a path other than the newest rendition's.
    package static func original(_ copy: OriginalCopy, as raw: FileStamp, isPlace: Bool = false) -> TreeClaim {
        let place = placeMark(isPlace ? Sighting(raw: raw, photoBase: []) : nil)
        let file = raw.file
        let folder = possible(folder(for: file))
        let whole = file.path.name
        let stem = whole.lastIndex(of: UInt8(ascii: ".")).map { Array(whole[..<$0]) } ?? whole
        let mark = String(copy.asset.description.prefix(16))
        let names = [
            whole.count > maxNameBytes ? nil : folder?.appending(whole),
            name(in: folder, stem.isEmpty ? whole : stem, ".\(mark)\(place).\(copy.fileExtension)"),
        ]
        return TreeClaim(
            id: isPlace ? .originalCopy(of: copy.asset).at(file) : .originalCopy(of: copy.asset),
            names: names.compactMap { $0 } + [lastChoice("\(copy.asset)\(place).\(copy.fileExtension)")],
            raw: raw)
    }

    /// The folder of the tree for the photos of a RAW.
    package static func folder(for original: FileReference) -> RelativePath {
        if original.root == .library, let folder = treeFolder(original.path.folder) { return folder }
        let top = path("\(LibraryLayout.photos)/\(original.root)")
        return original.path.folder.flatMap { top.appending($0.bytes) } ?? top
    }

    /// The folder itself if it is `photos/<root>` or below; nil otherwise.
    private static func treeFolder(_ folder: RelativePath?) -> RelativePath? {
        let parts = folder?.bytes.split(separator: UInt8(ascii: "/"), maxSplits: 2) ?? []
        guard parts.count >= 2, parts[0].elementsEqual(LibraryLayout.photos.utf8),
            RootName(String(decoding: parts[1], as: UTF8.self)) != nil
        else { return nil }
        return folder
    }

    /// Distinguishes a photo's last choices at several paths.
    private static func placeMark(_ sighting: Sighting?) -> String {
        guard let file = sighting?.raw.file else { return "" }
        return "-" + SHA256Value(of: Array("\(file.root):".utf8) + file.path.bytes).description.prefix(8)
    }

    private static func base(_ photoBase: [UInt8], of asset: SHA256Value) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        // A base is one component of a path. Such bytes cannot come from a file name.
        let plain = photoBase.filter { $0 != slash && $0 != 0 }
        return plain.isEmpty ? Array("\(asset.description.prefix(16))".utf8) : plain
    }

    /// The RAW's extension, unless the base has it.
    private static func fileExtension(of original: FileReference, _ photoBase: [UInt8]) -> String? {
        let name = original.path.name
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, !photoBase.elementsEqual(name) else {
            return nil
        }
        let text = String(decoding: name[(dot + 1)...], as: UTF8.self)
        return text.isEmpty ? nil : text
    }

    /// The folder; nil if a component is too long here. The RAWs may be on a system that counts characters instead of
    /// bytes.
    private static func possible(_ folder: RelativePath) -> RelativePath? {
        let isLong = folder.bytes.split(separator: UInt8(ascii: "/")).contains { $0.count > maxNameBytes }
        return isLong ? nil : folder
    }

    /// Cuts a base that is too long at a character. Nil without a folder, or if the path would be too long.
    private static func name(in folder: RelativePath?, _ base: [UInt8], _ ending: String) -> RelativePath? {
        guard let folder else { return nil }
        var end = max(0, min(base.count, maxNameBytes - ending.utf8.count))
        while end > 0, end < base.count, base[end] & 0xC0 == 0x80 { end -= 1 }
        return end == 0 ? nil : folder.appending(base[..<end] + Array(ending.utf8))
    }

    /// A name for a file whose other names are all taken.
    package static func numbered(_ id: TreeEntryID, _ number: Int) -> RelativePath {
        lastChoice("\(id.asset).\(UInt64(id.frame) + 1)-\(number).\(id.variant)")
    }

    private static func lastChoice(_ name: String) -> RelativePath { path("\(reserved)/\(name)") }

    private static func path(_ text: String) -> RelativePath {
        guard let path = RelativePath(text) else { preconditionFailure("a name made of hashes and looks is a path") }
        return path
    }
}
