import Archives
import Digest
import Jobs
import Library
import Manifests
import Storage
import Telemetry

/// Writes the files of an album into an archive, one after another, and then the manifest. Memory holds a piece of a file.
struct AlbumArchive {
    /// A file that was left out.
    struct Problem {
        let file: String
        let reason: String
    }

    /// What was written.
    struct Report {
        var photoCount = 0
        var originalCount = 0
        var problems: [Problem] = []
        var sizeBytes: UInt64 = 0
        var digest = SHA256Value(of: [])
    }

    private let album: String
    private let store: LibraryStore
    private let roots: Roots
    private let format: ArchiveFormat
    private let withOriginals: Bool
    private let folder: String
    private var names = ArchiveNames()
    private var report = Report()
    /// The entries of RAWs that are in the archive, or nil for those that could not be; frames share one.
    private var originals: [SHA256Value: String?] = [:]

    init(album: String, store: LibraryStore, roots: Roots, format: ArchiveFormat, withOriginals: Bool) {
        self.album = album
        self.store = store
        self.roots = roots
        self.format = format
        self.withOriginals = withOriginals
        folder = ArchiveNames.safe(album)
        _ = names.unique(Self.manifest)
    }

    private static let manifest = "manifest.json"
    private static let pieceBytes = 1 << 20

    /// Writes the archive, whole and durable, under a name that is free.
    ///
    /// - Throws: `StorageError`, `ArchiveError`, `CommandFailure` if a file changed while it was read; there is no archive
    ///   then.
    mutating func write(
        _ renditions: [Albums.Rendition], to file: [UInt8], in root: Root
    ) throws -> Report {
        let blank = try BlankFile(for: file, in: root)
        let sink = ArchiveSink(blank)
        try write(renditions) { try sink.write($0) }
        (report.sizeBytes, report.digest) = (sink.sizeBytes, try sink.digest())
        let unnamed = try UnnamedFile(blank, existing: .keep, digest: report.digest, sizeBytes: report.sizeBytes)
        for publication in try root.publish([unnamed]) where try publication.get().outcome == .kept {
            throw StorageError(.exists, "write", file)
        }
        return report
    }

    /// Writes the archive's bytes, in order.
    ///
    /// - Returns: what was left out.
    /// - Throws: `StorageError`, `ArchiveError`; what the sink throws.
    @discardableResult
    mutating func write(
        _ renditions: [Albums.Rendition], into sink: @escaping ([UInt8]) throws -> Void
    ) throws -> [Problem] {
        let writer = try ArchiveWriter(format, sink: sink)
        var photos = JSONWriter()
        let album = album
        try photos.object { json in
            json.field("album", album)
            json.field("format", "org.rawmill.album")
            json.field("version", "1.0")
            try json.array("photos") { json in
                for rendition in renditions { try write(rendition, to: writer, &json) }
            }
        }
        let bytes = photos.bytes + [UInt8(ascii: "\n")]
        try writer.begin("\(folder)/\(Self.manifest)", sizeBytes: UInt64(bytes.count), modifiedSeconds: 0)
        try writer.append(bytes)
        try writer.finish()
        return report.problems
    }

    private mutating func write(
        _ rendition: Albums.Rendition, to writer: borrowing ArchiveWriter, _ json: inout JSONWriter
    ) throws {
        let record = rendition.record
        let path = rendition.photo.summary.path
        let shown = String(decoding: path.name, as: UTF8.self)
        guard
            let source = checked(LibraryLayout.photo(record.key), in: store.root, record.photo.digest, "\(path)")
        else { return }
        let name = names.unique(shown)
        try add(source, as: "\(folder)/\(name)", record.photo.digest, to: writer)
        report.photoCount += 1
        let original = withOriginals ? try addOriginal(record, to: writer) : nil
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
    private mutating func addOriginal(_ record: RenditionRecord, to writer: borrowing ArchiveWriter) throws -> String? {
        if let known = originals[record.asset] { return known }
        let file = record.original.file
        let shown = String(decoding: file.path.name, as: UTF8.self)
        var source: OpenFile?
        if let copy = try store.assets.originalCopy(of: record.asset) {
            source = checked(copy.path, in: store.root, record.asset, shown)
        } else if let root = roots[file.root.text] {
            source = checked(file.path, in: root, record.asset, "\(file)")
        } else {
            report.problems.append(Problem(file: "\(file)", reason: "its folder is not there"))
        }
        var name: String?
        if let source {
            name = "originals/\(names.unique(shown))"
            try add(source, as: "\(folder)/\(name ?? shown)", record.asset, to: writer)
            report.originalCount += 1
        }
        originals[record.asset] = .some(name)
        return name
    }

    /// The file, if it is there with the bytes that it should have; otherwise it is noted as left out.
    private mutating func checked(
        _ path: RelativePath, in root: Root, _ digest: SHA256Value, _ shown: String
    ) -> OpenFile? {
        do {
            let file = try OpenFile(path.bytes, in: root)
            var hasher = FileHasher(file)
            if try hasher.finish() == digest { return file }
            report.problems.append(
                Problem(
                    file: shown, reason: "it has other bytes than the library knows; `rawmill library verify` says more"
                ))
        } catch {
            report.problems.append(Problem(file: shown, reason: "\(error)"))
        }
        return nil
    }

    private func add(
        _ file: OpenFile, as name: String, _ digest: SHA256Value, to writer: borrowing ArchiveWriter
    ) throws {
        let sizeBytes = file.facts.sizeBytes
        try writer.begin(
            name, sizeBytes: sizeBytes, modifiedSeconds: file.facts.modifiedNanoseconds / 1_000_000_000)
        var hasher = SHA256Hasher()
        var offset: UInt64 = 0
        while offset < sizeBytes {
            let piece = try file.bytes(from: offset, count: Int(min(UInt64(Self.pieceBytes), sizeBytes - offset)))
            if piece.isEmpty { break }
            hasher.update(piece)
            try writer.append(piece)
            offset += UInt64(piece.count)
        }
        guard hasher.finish() == digest else { throw StorageError(.changed, "read", file.path) }
    }
}

/// The archive's file while it is written. A class, because the archive's writer calls it from C.
private final class ArchiveSink {
    private let file: BlankFile
    private(set) var sizeBytes: UInt64 = 0

    init(_ file: BlankFile) { self.file = file }

    func write(_ bytes: [UInt8]) throws {
        try unsafe bytes.span.bytes.withUnsafeBytes { try unsafe file.write($0, at: sizeBytes) }
        sizeBytes += UInt64(bytes.count)
    }

    /// SHA-256 of all that was written, as the file has it.
    func digest() throws -> SHA256Value { try file.finish() }
}
