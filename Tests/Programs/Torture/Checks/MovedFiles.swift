import Digest
import Jobs
import LibraryTables
import Manifests
import PhotoTree
import Selection
import Storage

/// Files that `--originals move` may have removed from the archive: RAWs with a copy in the library under their path,
/// and companions beside such a copy.
struct MovedFiles {
    private let archive: String
    private let store: LibraryStore
    private let photos: FolderContents

    /// - Parameters:
    ///   - archive: folder of the root with this name.
    ///   - library: the library's folder.
    init(archive: String, library: String) throws {
        self.archive = archive
        store = try LibraryStore(folder: library, mode: .read)
        photos = try FolderContents(of: "\(library)/photos/archive")
    }

    /// Whether a file is missing from the archive and verified in the library.
    func has(_ difference: FileInventory.Difference) throws -> Bool {
        guard difference.found == nil, case .file(let digest) = difference.noted,
            difference.path.hasPrefix(archive + "/"),
            let path = RelativePath(String(difference.path.dropFirst(archive.count + 1)))
        else { return false }
        let folder = path.folder.map { "\($0)" } ?? ""
        guard photos.count(of: digest, in: folder) > 0 else { return false }
        guard path.name.suffix(4).elementsEqual(".dng".utf8) else { return true }
        return try hasCopy(digest, of: path)
    }

    private func hasCopy(_ asset: SHA256Value, of path: RelativePath) throws -> Bool {
        guard let copy = try store.assets.originalCopy(of: asset), let root = RootName("archive") else { return false }
        return try store.hasSighting(of: asset, at: FileReference(root: root, path: path))
            && store.root.digest(of: copy.path.bytes).digest == asset
    }

    /// The files below `photos/archive`, by folder and contents.
    var shown: FolderContents { photos }

    /// SHA-256 of the photos of an asset.
    func photoDigests(of asset: SHA256Value) throws -> [SHA256Value] {
        try store.assets.details(of: asset).flatMap(\.revisions).compactMap(\.photo.digest)
    }
}

/// Counts of contents by folder.
struct FolderContents {
    private struct Key: Hashable {
        let folder: String
        let digest: SHA256Value
    }

    private var counts: [Key: Int] = [:]

    init() {}

    /// Reads every file below a folder.
    init(of top: String) throws {
        for file in try FolderListing.files(below: top) {
            guard case .file(let digest) = FileInventory.content(of: "\(top)/\(file)") else { continue }
            add(digest, in: FolderListing.parts(of: "/" + file).folder)
        }
    }

    /// - Parameter folder: below the top; empty for the top itself.
    mutating func add(_ digest: SHA256Value, in folder: String) {
        counts[Key(folder: Self.plain(folder), digest: digest), default: 0] += 1
    }

    func count(of digest: SHA256Value, in folder: String) -> Int {
        counts[Key(folder: Self.plain(folder), digest: digest)] ?? 0
    }

    /// Folders with missing files compared with another one, and their numbers.
    func lacking(_ expected: FolderContents) -> [String] {
        var missing: [String: Int] = [:]
        for (key, count) in expected.counts {
            let lack = count - (counts[key] ?? 0)
            if lack > 0 { missing[key.folder, default: 0] += lack }
        }
        return missing.sorted { $0.key < $1.key }.map { "\($0.key) lacks \($0.value)" }
    }

    private static func plain(_ folder: String) -> String {
        folder.hasPrefix("/") ? String(folder.dropFirst()) : folder
    }
}
