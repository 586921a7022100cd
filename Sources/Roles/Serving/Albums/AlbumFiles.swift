package import Albums
internal import Digest
package import Jobs
package import LibraryTables
internal import Manifests
internal import MetadataHost
package import PhotoTree
internal import Selection
package import Storage

package struct StoredFile {
    package let root: Root
    package let path: RelativePath
}

/// Finds the files of an album's photos, and compares their digests with the library's.
package struct AlbumFiles {
    package struct Problem {
        package let file: String
        package let reason: String

        package init(file: String, reason: String) {
            self.file = file
            self.reason = reason
        }
    }

    private let store: LibraryStore
    private let roots: Roots
    private let metadata: BlockingMetadataReader
    package private(set) var problems: [Problem] = []

    package init(_ store: LibraryStore, roots: Roots) {
        self.store = store
        self.roots = roots
        metadata = BlockingMetadataReader(program: MetadataProcess.program, library: store.folder)
    }

    /// The photo's file. Reports a missing file, or one with other bytes, and returns nil.
    package mutating func photo(_ rendition: Albums.Rendition) -> StoredFile? {
        let record = rendition.record
        return checked(
            LibraryLayout.photo(record.key), in: store.root, record.photo.digest, "\(rendition.photo.summary.path)")
    }

    /// The photo's RAW, or the library's copy. Reports a missing file, or one with other bytes, and returns nil.
    package mutating func original(of record: RenditionRecord) throws -> StoredFile? {
        let file = record.original.file
        if let copy = try store.assets.originalCopy(of: record.asset) {
            let shown = String(decoding: file.path.name, as: UTF8.self)
            return checked(copy.path, in: store.root, record.asset, shown)
        }
        if let root = roots[file.root.text] { return checked(file.path, in: root, record.asset, "\(file)") }
        problems.append(Problem(file: "\(file)", reason: "its folder is missing"))
        return nil
    }

    /// The user's metadata of the photo, in XMP, if any. A process in the sandbox reads it.
    package func sidecar(of photo: StoredFile) throws -> [UInt8]? {
        let answers = try metadata.read([MetadataRequest(.sidecar, about: photo.path, in: photo.root)])
        guard case .sidecar(let packet)? = answers.first else { return nil }
        return packet
    }

    private mutating func checked(
        _ path: RelativePath, in root: Root, _ digest: SHA256Value, _ shown: String
    ) -> StoredFile? {
        do {
            if try root.digest(of: path.bytes).digest == digest { return StoredFile(root: root, path: path) }
            problems.append(
                Problem(
                    file: shown,
                    reason: "it differs from the library's checksum; `rawmill library verify` shows details"
                ))
        } catch {
            problems.append(Problem(file: shown, reason: "\(error)"))
        }
        return nil
    }
}
