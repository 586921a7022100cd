import Digest
import Jobs
import Library
import Storage
import Telemetry

/// Where an album's files go, one after another.
protocol AlbumTarget {
    /// - Parameter digest: the bytes' that the file must have.
    /// - Throws: `StorageError`, of kind `changed` for a file with others.
    func add(_ file: StoredFile, as name: String, _ digest: SHA256Value) throws
    func add(_ bytes: [UInt8], as name: String) throws
}

/// What an album's files are besides its photos.
struct AlbumExtras {
    /// The RAWs.
    var originals = false
    /// Sidecars of XMP, for other programs.
    var sidecars = false
}

/// Gives the files of an album to an archive or a folder, one after another, and then the manifest.
struct AlbumExport {
    /// What was written.
    struct Report {
        var photoCount = 0
        var originalCount = 0
        var problems: [AlbumFiles.Problem] = []
    }

    private let album: String
    private let extras: AlbumExtras
    private var files: AlbumFiles
    private var names = ArchiveNames()
    private var report = Report()
    /// The entries of RAWs that are in the archive, or nil for those that could not be; frames share one.
    private var originals: [SHA256Value: String?] = [:]

    init(album: String, store: LibraryStore, roots: Roots, extras: AlbumExtras) {
        self.album = album
        self.extras = extras
        files = AlbumFiles(store, roots: roots)
        _ = names.unique(Self.manifest)
    }

    private static let manifest = "manifest.json"

    /// Gives out all files, in order.
    ///
    /// - Throws: `StorageError` if a file changed while it was read; what the target throws.
    mutating func write(_ renditions: [Albums.Rendition], to target: any AlbumTarget) throws -> Report {
        var json = JSONWriter()
        let album = album
        try json.object { json in
            json.field("album", album)
            json.field("format", "org.rawmill.album")
            json.field("version", "1.0")
            try json.array("photos") { json in
                for rendition in renditions { try write(rendition, to: target, &json) }
            }
        }
        try target.add(json.bytes + [UInt8(ascii: "\n")], as: Self.manifest)
        report.problems = files.problems
        return report
    }

    private mutating func write(
        _ rendition: Albums.Rendition, to target: any AlbumTarget, _ json: inout JSONWriter
    ) throws {
        let record = rendition.record
        guard let source = files.photo(rendition) else { return }
        let name = names.unique(String(decoding: rendition.photo.summary.path.name, as: UTF8.self))
        try target.add(source, as: name, record.photo.digest)
        report.photoCount += 1
        let sidecar = extras.sidecars ? try files.sidecar(of: source) : nil
        if let sidecar { try target.add(sidecar, as: names.unique(Self.sidecarName(of: name))) }
        let original = extras.originals ? try addOriginal(record, sidecar, to: target) : nil
        json.object { json in
            json.field("number", rendition.photo.index + 1)
            json.field("name", name)
            json.field("sha256", record.photo.digest.description)
            json.field("bytes", record.photo.sizeBytes)
            json.field("asset", record.asset.description)
            json.field("frame", record.frame)
            json.field("look", "\(record.recipe.look)@\(record.recipe.lookVersion)")
            json.field("recipe", record.recipe.id.description)
            json.field("engine", record.engine)
            json.object("adjustment") { json in
                json.field("formatIdentifier", record.recipe.adjustment.formatIdentifier)
                json.field("formatVersion", record.recipe.adjustment.formatVersion)
                json.field("data", record.recipe.adjustment.data)
            }
            json.field("captured", record.captured.map(LogValue.text))
            json.field("original", original.map(LogValue.text))
        }
    }

    /// - Returns: the RAW's name in the album's folder; nil if it could not be had.
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

    /// darktable, digiKam and others find a sidecar by this name.
    private static func sidecarName(of name: String) -> String { "\(name).xmp" }
}
