internal import Concurrency
internal import Digest
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import Storage

/// Reads files of `objects/` on a thread of its own, so that several readers use several processors.
actor ObjectReader {
    private let executor = ThreadExecutor(name: "object-reader")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the executor as long as it lives.
        unsafe executor.asUnownedSerialExecutor()
    }

    private let contents: ObjectContentReader

    init(root: Root) throws { contents = try ObjectContentReader(root: root) }

    /// The contents of the files, in their order. A damaged file is a result, not an error.
    ///
    /// - Throws: `StorageError` if the library cannot be read.
    func read(_ paths: [RelativePath]) throws -> [ObjectContent] {
        try paths.map { path in
            guard let file = ObjectFile(path) else { return .unknown(path, "its name is not one that Rawmill gives") }
            return try contents.read(file)
        }
    }
}

/// Reads files of `objects/`, one at a time.
struct ObjectContentReader: Sendable {
    private let root: Root
    private let toolkit: XMPToolkit

    init(root: Root) throws {
        self.root = root
        toolkit = try XMPToolkit()
    }

    /// What the file holds. A damaged file is a result, not an error.
    ///
    /// - Throws: `StorageError` if the library cannot be read.
    func read(_ file: ObjectFile) throws -> ObjectContent {
        let found = try root.digest(of: file.path.bytes)
        if found.digest == file.digest {
            return .original(
                OriginalCopy(asset: file.digest, fileExtension: file.fileExtension, sizeBytes: found.facts.sizeBytes))
        }
        guard file.mayBeRendition else {
            return .unknown(file.path, "a RAW's copy whose bytes do not have the hash in its name")
        }
        do throws(XMPError) {
            let identity = try toolkit.identity(fromJPEG: prefix(of: file.path))
            return try rendition(file, found, identity)
        } catch {
            return .unknown(file.path, "not a rendition: \(error)")
        }
    }

    private func prefix(of path: RelativePath) -> [UInt8] {
        // The file was hashed a moment ago. If it cannot be read now, its content is unknown.
        (try? root.prefix(of: path.bytes, byteCount: JPEGMetadata.prefixByteCount)) ?? []
    }

    private func rendition(
        _ file: ObjectFile, _ found: FileDigest, _ identity: RenditionIdentity
    ) throws(XMPError) -> ObjectContent {
        let photo = FileRecord(
            digest: found.digest, sizeBytes: found.facts.sizeBytes,
            size: PixelSize(width: identity.width, height: identity.height))
        do throws(IdentityProblem) {
            let preview = preview(RenditionKey(digest: file.digest))
            let record = try RenditionRecord(identity, named: file.digest, photo: photo, preview: preview)
            return .rendition(
                ObjectRendition(
                    record: record, modifiedMilliseconds: found.facts.modifiedNanoseconds / 1_000_000))
        } catch {
            return .unknown(file.path, error.sentence)
        }
    }

    /// The rendition's preview; nil if it is missing or cannot be read.
    private func preview(_ key: RenditionKey) -> FileRecord? {
        let path = LibraryLayout.preview(key)
        guard let found = try? root.digest(of: path.bytes) else { return nil }
        let prefix = try? root.prefix(of: path.bytes, byteCount: JPEGMetadata.prefixByteCount)
        return FileRecord(
            digest: found.digest, sizeBytes: found.facts.sizeBytes, size: prefix.flatMap(PixelSize.init(ofJPEG:)))
    }
}

extension PixelSize {
    /// From the frame header of a JPEG (ITU-T T.81, B.2.2); nil if it has none.
    init?(ofJPEG prefix: [UInt8]) {
        guard let frame = JPEGMetadata.frameHeader(in: prefix) else { return nil }
        self.init(width: frame.width, height: frame.height)
    }
}
