internal import Digest
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import Storage
internal import Concurrency

/// Reads files of `objects/` on a thread of its own; several of them use several processors.
actor ObjectReader {
    private let executor = ThreadExecutor(name: "object-reader")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let root: Root
    private let toolkit: XMPToolkit

    init(root: Root) throws {
        self.root = root
        toolkit = try XMPToolkit()
    }

    /// - Throws: `StorageError` where the library cannot be read; a single damaged file is an answer, not an error.
    func read(_ paths: [RelativePath]) throws -> [ObjectContent] {
        try paths.map { path in
            guard let file = ObjectFile(path) else { return .unknown(path, "not a name that Rawmill gives") }
            return try read(file)
        }
    }

    private func read(_ file: ObjectFile) throws -> ObjectContent {
        let identity = try root.identity(of: file.path.bytes)
        if identity.digest == file.digest {
            return .original(
                OriginalCopy(
                    asset: file.digest, fileExtension: file.fileExtension, sizeBytes: identity.facts.sizeBytes))
        }
        guard file.mayBeRendition else {
            return .unknown(file.path, "a RAW's copy whose bytes do not have the hash in its name")
        }
        do throws(XMPError) {
            let found = try toolkit.identity(fromJPEG: prefix(of: file.path))
            return try rendition(file, identity, found)
        } catch {
            return .unknown(file.path, "not a rendition: \(error)")
        }
    }

    private func prefix(of path: RelativePath) -> [UInt8] {
        // What could be hashed a moment ago and cannot be read now has no beginning.
        (try? root.prefix(of: path.bytes, byteCount: JPEGWalker.prefixByteCount)) ?? []
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

    /// Nil where it is missing or cannot be read.
    private func preview(_ key: RenditionKey) -> FileRecord? {
        let path = LibraryLayout.preview(key)
        guard let identity = try? root.identity(of: path.bytes) else { return nil }
        let prefix = try? root.prefix(of: path.bytes, byteCount: JPEGWalker.prefixByteCount)
        return FileRecord(
            digest: identity.digest, sizeBytes: identity.facts.sizeBytes, size: prefix.flatMap(PixelSize.init(ofJPEG:)))
    }
}

extension PixelSize {
    /// From the frame header of a JPEG (ITU-T T.81, B.2.2); nil where there is none.
    init?(ofJPEG prefix: [UInt8]) {
        var walker = JPEGWalker(prefix)
        while let segment = walker.next() {
            // SOF0 to SOF15 but for the tables DHT, JPG and DAC that stand between them.
            guard (0xC0...0xCF).contains(segment.marker), ![0xC4, 0xC8, 0xCC].contains(segment.marker) else { continue }
            let header = Array(segment.payload.prefix(5))
            guard header.count == 5 else { return nil }
            self.init(width: Int(header[3]) << 8 | Int(header[4]), height: Int(header[1]) << 8 | Int(header[2]))
            return
        }
        return nil
    }
}
