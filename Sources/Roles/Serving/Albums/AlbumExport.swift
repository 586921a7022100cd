package import Albums
package import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
package import PhotoTree
internal import Selection
package import Storage
internal import Telemetry

/// Receives an album's files, one after another.
package protocol AlbumTarget {
    /// - Parameter digest: the SHA-256 that the file must have.
    /// - Throws: `StorageError`, of kind `changed` for a file with another digest.
    func add(_ file: StoredFile, as name: String, _ digest: SHA256Value) throws
    func add(_ bytes: [UInt8], as name: String) throws
}

/// Additional files of an exported album.
package struct AlbumExtras {
    package var originals = false
    /// XMP sidecars for other programs.
    package var sidecars = false

    package init(originals: Bool = false, sidecars: Bool = false) {
        self.originals = originals
        self.sidecars = sidecars
    }
}

/// Writes the files of an album to an archive or a folder, and then the manifest.
package struct AlbumExport {
    package struct Report {
        package var photoCount = 0
        package var originalCount = 0
        package var problems: [AlbumFiles.Problem] = []

        package init() {}
    }

    private let album: String
    private let extras: AlbumExtras
    private var files: AlbumFiles
    private var names = ArchiveNames()
    private var report = Report()
    /// The entries of RAWs, shared by their frames; nil for RAWs left out.
    private var originals: [SHA256Value: String?] = [:]

    package init(album: String, store: LibraryStore, roots: Roots, extras: AlbumExtras) {
        self.album = album
        self.extras = extras
        files = AlbumFiles(store, roots: roots)
        _ = names.unique(Self.manifest)
    }

    private static let manifest = "manifest.json"

    /// Writes all files, in order. Throws `StorageError` if a file changed while it was read; errors of the target.
    package mutating func write(_ renditions: [Albums.Rendition], to target: any AlbumTarget) throws -> Report {
        let photos = try renditions.compactMap { try write($0, to: target) }
        let manifest: JSONFields = [
            "album": album, "format": "org.rawmill.album", "version": "1.0", "photos": photos,
        ]
        try target.add(JSONWriter.bytes(manifest) + [UInt8(ascii: "\n")], as: Self.manifest)
        report.problems = files.problems
        return report
    }

    /// - Returns: the photo's entry in the manifest; nil if left out.
    private mutating func write(_ rendition: Albums.Rendition, to target: any AlbumTarget) throws -> JSONFields? {
        let record = rendition.record
        guard let source = files.photo(rendition) else { return nil }
        let name = names.unique(String(decoding: rendition.photo.summary.path.name, as: UTF8.self))
        try target.add(source, as: name, record.photo.digest)
        report.photoCount += 1
        let sidecar = extras.sidecars ? try files.sidecar(of: source) : nil
        if let sidecar { try target.add(sidecar, as: names.unique(Self.sidecarName(of: name))) }
        let original = extras.originals ? try addOriginal(record, sidecar, to: target) : nil
        return [
            "number": rendition.photo.index + 1, "name": name, "sha256": record.photo.digest.description,
            "bytes": record.photo.sizeBytes, "asset": record.asset.description, "frame": record.frame,
            "look": "\(record.recipe.look)@\(record.recipe.lookVersion)", "recipe": record.recipe.id.description,
            "engine": record.engine, "adjustment": JSONFields(record.recipe.adjustment), "captured": record.captured,
            "original": original,
        ]
    }

    /// - Returns: the RAW's name in the album's folder; nil if left out.
    private mutating func addOriginal(
        _ record: RenditionRecord, _ sidecar: [UInt8]?, to target: any AlbumTarget
    ) throws -> String? {
        if let known = originals[record.asset] { return known }
        let source = try files.original(of: record)
        var name: String?
        if let source {
            let shown = String(decoding: record.original.file.path.name, as: UTF8.self)
            let own = "originals/\(names.unique(shown))"
            name = own
            try target.add(source, as: own, record.asset)
            if let sidecar { try target.add(sidecar, as: Self.sidecarName(of: own)) }
            report.originalCount += 1
        }
        originals[record.asset] = .some(name)
        return name
    }

    /// darktable, digiKam and other programs find a sidecar by this name.
    private static func sidecarName(of name: String) -> String { "\(name).xmp" }
}
