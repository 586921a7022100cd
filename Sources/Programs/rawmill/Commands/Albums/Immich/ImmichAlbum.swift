import Albums
import Clock
import Digest
import HTTPClient
import Jobs
import LibraryTables
import Manifests
internal import Selection
import Serving
import Storage

/// Uploads an album's photos to Immich, without files that it already has, and stacks each photo on its RAW.
struct ImmichAlbum {
    struct Report {
        var photoCount = 0
        var originalCount = 0
        /// The uploaded files; the server had the others.
        var sentCount = 0
        var sentBytes: UInt64 = 0
        var problems: [AlbumFiles.Problem] = []
    }

    private let server: ImmichServer
    private let withOriginals: Bool
    private var files: AlbumFiles
    private var report = Report()

    init(_ server: ImmichServer, files: AlbumFiles, withOriginals: Bool) {
        self.server = server
        self.files = files
        self.withOriginals = withOriginals
    }

    /// Uploads all photos, in order, and adds them to the server's album of that name.
    ///
    /// - Throws: `ImmichServer.Refusal`; `StorageError` if a file changed during its upload. Uploaded files stay there,
    ///   and the next run continues.
    mutating func send(_ renditions: [Albums.Rendition], as album: String) throws -> Report {
        try server.check()
        var sent: [String] = []
        // Photos of one RAW form one stack, wherever they are in the album.
        var stacks: [SHA256Value: Stack] = [:]
        for rendition in renditions {
            guard let photo = files.photo(rendition) else { continue }
            let name = String(decoding: rendition.photo.summary.path.name, as: UTF8.self)
            let digest = rendition.record.photo.digest
            guard let id = try send(photo, name, rendition.record, digest, sidecar: nil) else { continue }
            report.photoCount += 1
            sent.append(id)
            stacks[rendition.record.asset, default: Stack()].photos.append(photo)
            stacks[rendition.record.asset, default: Stack()].ids.append(id)
        }
        if withOriginals { try stackOriginals(renditions, &stacks) }
        if !sent.isEmpty {
            let id = try server.album(album)
            for start in stride(from: 0, to: sent.count, by: Self.idsTogether) {
                try server.add(Array(sent[start...].prefix(Self.idsTogether)), to: id)
            }
        }
        report.problems += files.problems
        return report
    }

    /// The files that Immich shows as one.
    private struct Stack {
        var photos: [StoredFile] = []
        var ids: [String] = []
    }

    private mutating func stackOriginals(
        _ renditions: [Albums.Rendition], _ stacks: inout [SHA256Value: Stack]
    ) throws {
        for record in renditions.map(\.record) {
            guard var stack = stacks.removeValue(forKey: record.asset) else { continue }
            if let original = try files.original(of: record) {
                let name = String(decoding: record.original.file.path.name, as: UTF8.self)
                // A photo that was developed before the user added metadata has none.
                let sidecar = try stack.photos.compactMap { try files.sidecar(of: $0) }.last
                if let id = try send(original, name, record, record.asset, sidecar: sidecar) {
                    stack.ids.append(id)
                    report.originalCount += 1
                }
            }
            if stack.ids.count > 1 { try server.stack(stack.ids) }
        }
    }

    /// - Parameter digest: the expected SHA-256 of the file.
    /// - Returns: the server's id of the file; nil for a refused file, which is recorded.
    private mutating func send(
        _ file: StoredFile, _ name: String, _ record: RenditionRecord, _ digest: SHA256Value, sidecar: [UInt8]?
    ) throws -> String? {
        let open = try OpenFile(file.path.bytes, in: file.root)
        let id = digest.description
        if let known = try server.known([(id, try sha1(of: open, expecting: digest))])[id] { return known }
        let sizeBytes = open.facts.sizeBytes
        let modified = Self.timestamp(open.facts.modifiedNanoseconds)
        let upload = ImmichServer.Upload(
            id: id,
            file: FormFile(name: name, sizeBytes: sizeBytes) { offset, count in
                let bytes = try open.bytes(from: offset, count: count)
                if bytes.isEmpty { throw StorageError(.changed, "read", open.path) }
                return bytes
            },
            created: record.captured.flatMap(Self.timestamp) ?? modified, modified: modified, sidecar: sidecar)
        do {
            let sent = try server.upload(upload)
            guard try file.root.facts(of: file.path.bytes).isUnchanged(since: open.facts) else {
                throw StorageError(.changed, "read", open.path)
            }
            report.sentCount += 1
            report.sentBytes += sizeBytes
            return sent
        } catch let refusal as ImmichServer.Refusal where refusal.isAboutContent {
            report.problems.append(AlbumFiles.Problem(file: name, reason: "\(refusal)"))
            return nil
        }
    }

    private static let pieceBytes = 1 << 20
    /// Servers limit the size of a request.
    private static let idsTogether = 1000

    /// Throws `StorageError` of kind `changed` if the file has other bytes.
    private func sha1(of file: OpenFile, expecting digest: SHA256Value) throws -> String {
        var judge = SHA256Hasher()
        guard var hasher = SHA1Hasher() else {
            throw ImmichServer.Refusal(description: "OpenSSL's settings forbid SHA-1, which Immich needs.")
        }
        var offset: UInt64 = 0
        while offset < file.facts.sizeBytes {
            let piece = try file.bytes(from: offset, count: Self.pieceBytes)
            if piece.isEmpty { break }
            hasher.update(piece)
            judge.update(piece)
            offset += UInt64(piece.count)
        }
        guard judge.finish() == digest else { throw StorageError(.changed, "read", file.path) }
        return hasher.finish()
    }

    /// EXIF's `2024:05:01 10:00:00`, without a time zone, as ISO 8601; nil if it is not valid. Immich also reads the
    /// file.
    private static func timestamp(_ captured: String) -> String? {
        let parts = captured.split(separator: " ")
        guard parts.count == 2, captured.utf8.count == 19,
            captured.utf8.allSatisfy({ (0x30...0x3A).contains($0) || $0 == 0x20 })
        else { return nil }
        return "\(parts[0].replacing(":", with: "-"))T\(parts[1]).000Z"
    }

    private static func timestamp(_ nanoseconds: Int64) -> String {
        WallClock.text(milliseconds: nanoseconds / 1_000_000)
    }
}
