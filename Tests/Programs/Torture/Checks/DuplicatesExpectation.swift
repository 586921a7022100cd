import Digest

/// The expected contents of `photos/` after RAWs with several paths were moved.
struct DuplicatesExpectation {
    /// RAWs of the archive, by path below it.
    private let rawFiles: [String: SHA256Value]
    /// All other files of the archive.
    private let otherFiles: [String: SHA256Value]
    /// RAWs that stay, because one of their frames cannot be rendered.
    private let cutRaws: Set<String>
    /// Companions that another program saved again, by path below the archive: they may have been copied before.
    private let edited: Set<String>
    private let archive: String

    var raws: Int { rawFiles.count }
    var assets: Int { Set(rawFiles.values).count }
    var companions: Int { otherFiles.count }

    /// - Parameters:
    ///   - files: the original archive.
    ///   - archive: its folder.
    ///   - cutRaws: RAWs below it with a frame that cannot be rendered.
    ///   - edited: companions that another program saved again, by absolute path.
    init(_ files: FileInventory, in archive: String, cutRaws: Set<String>, edited: Set<String> = []) {
        var (raws, others): ([String: SHA256Value], [String: SHA256Value]) = ([:], [:])
        for (path, content) in files.contents {
            guard case .file(let digest) = content else { continue }
            let name = String(path.dropFirst(archive.count + 1))
            if name.hasSuffix(".dng") { raws[name] = digest } else { others[name] = digest }
        }
        (rawFiles, otherFiles) = (raws, others)
        (self.archive, self.cutRaws) = (archive, cutRaws)
        self.edited = Set(edited.map { String($0.dropFirst(archive.count + 1)) })
    }

    /// - Parameter moved: the contents of the library.
    func complaints(_ moved: MovedFiles) throws -> [String] {
        var photos = FolderContents()
        var copies = FolderContents()
        var companions = FolderContents()
        var left: [String] = []
        for (path, asset) in rawFiles {
            let folder = FolderListing.parts(of: "/" + path).folder
            for photo in try moved.photoDigests(of: asset) { photos.add(photo, in: folder) }
            if cutRaws.contains(path) { continue }
            copies.add(asset, in: folder)
            if FileInventory.content(of: "\(archive)/\(path)") != nil { left.append(path) }
        }
        for (path, digest) in otherFiles {
            let isThere = FileInventory.content(of: "\(archive)/\(path)") != nil
            if isThere, edited.contains(path) || stays(path) { continue }
            if isThere { left.append(path) }
            companions.add(digest, in: FolderListing.parts(of: "/" + path).folder)
        }
        return moved.shown.lacking(photos).map { "\($0) photos" } + moved.shown.lacking(copies).map { "\($0) RAWs" }
            + moved.shown.lacking(companions).map { "\($0) companions" } + left.sorted().map { "\($0) was not moved" }
    }

    /// Whether a file belongs to a RAW that stays, or to none.
    private func stays(_ path: String) -> Bool {
        let raw = rawFiles.keys.first { raw in
            let base = raw.dropLast(4)
            if path.hasPrefix("\(raw).") { return true }
            return path.hasPrefix("\(base).") && !path.dropFirst(base.count + 1).contains(".")
        }
        return raw.map(cutRaws.contains) ?? true
    }
}
