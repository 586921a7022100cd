package import Archives
package import Digest
internal import Jobs
package import Storage

/// An album's archive: one folder with the album's name. Memory holds a part of one file.
package final class AlbumArchive: AlbumTarget {
    private var writer: ArchiveWriter?
    private let folder: String
    private static let pieceBytes = 1 << 20

    /// - Parameter sink: takes the archive's bytes, in order.
    /// - Throws: `ArchiveError`.
    package init(of album: String, _ format: ArchiveFormat, sink: @escaping ([UInt8]) throws -> Void) throws {
        writer = try ArchiveWriter(format, sink: sink)
        folder = ArchiveNames.safe(album)
    }

    /// Writes an archive durably, under a free name. Throws `StorageError`, `ArchiveError`; errors of `fill`. Leaves no
    /// archive then.
    package static func write(
        of album: String, _ format: ArchiveFormat, to file: [UInt8], in root: Root,
        _ fill: (AlbumArchive) throws -> Void
    ) throws -> (sizeBytes: UInt64, digest: SHA256Value) {
        let blank = try BlankFile(for: file, in: root)
        let sink = ArchiveSink(blank)
        let archive = try AlbumArchive(of: album, format) { try sink.write($0) }
        try fill(archive)
        try archive.finish()
        let (sizeBytes, digest) = (sink.sizeBytes, try sink.digest())
        let unnamed = try UnnamedFile(blank, existing: .keep, digest: digest, sizeBytes: sizeBytes)
        for publication in try root.publish([unnamed]) where try publication.get().outcome == .kept {
            throw StorageError(.exists, "write", file)
        }
        return (sizeBytes, digest)
    }

    package func finish() throws { try writer.take()?.finish() }

    package func add(_ bytes: [UInt8], as name: String) throws {
        try writer?.begin("\(folder)/\(name)", sizeBytes: UInt64(bytes.count), modifiedSeconds: 0)
        try writer?.append(bytes)
    }

    package func add(_ file: StoredFile, as name: String, _ digest: SHA256Value) throws {
        let open = try OpenFile(file.path.bytes, in: file.root)
        let sizeBytes = open.facts.sizeBytes
        try writer?.begin(
            "\(folder)/\(name)", sizeBytes: sizeBytes,
            modifiedSeconds: open.facts.modifiedNanoseconds / 1_000_000_000)
        var hasher = SHA256Hasher()
        var offset: UInt64 = 0
        while offset < sizeBytes {
            let piece = try open.bytes(from: offset, count: Int(min(UInt64(Self.pieceBytes), sizeBytes - offset)))
            if piece.isEmpty { break }
            hasher.update(piece)
            try writer?.append(piece)
            offset += UInt64(piece.count)
        }
        guard hasher.finish() == digest else { throw StorageError(.changed, "read", open.path) }
    }
}

/// The archive's file during writing. A class, because C calls it.
private final class ArchiveSink {
    private let file: BlankFile
    private(set) var sizeBytes: UInt64 = 0

    init(_ file: BlankFile) { self.file = file }

    func write(_ bytes: [UInt8]) throws {
        try unsafe bytes.span.bytes.withUnsafeBytes { try unsafe file.write($0, at: sizeBytes) }
        sizeBytes += UInt64(bytes.count)
    }

    func digest() throws -> SHA256Value { try file.finish() }
}
