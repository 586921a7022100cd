internal import Concurrency
internal import Digest
package import Jobs
internal import LibraryTables
internal import Manifests
package import MetadataHost
internal import PictureFormat
package import Storage

/// Reads files of `objects/` on a separate thread, so that several readers use several processors.
package actor ObjectReader {
    private let executor = ThreadExecutor(name: "object-reader")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps its executor alive.
        unsafe executor.asUnownedSerialExecutor()
    }

    private let contents: ObjectContentReader

    package init(root: Root, metadata: MetadataReader) {
        contents = ObjectContentReader(root: root, metadata: metadata)
    }

    /// The files' contents, in their order. A damaged file is a result, not an error. Throws `StorageError` if the
    /// library cannot be read; `MetadataReaderError`.
    package func read(_ paths: [RelativePath]) async throws -> [ObjectContent] {
        let files = paths.map { ObjectFile($0) }
        var read = try await contents.read(files.compactMap(\.self))[...]
        return zip(paths, files).map { path, file in
            file == nil ? .unknown(path, "its name is not one that Rawmill gives") : read.removeFirst()
        }
    }
}

/// Reads files of `objects/`. Other programs may have written them, so a process in the sandbox reads their metadata.
package struct ObjectContentReader: Sendable {
    private let root: Root
    private let metadata: MetadataReader

    package init(root: Root, metadata: MetadataReader) {
        self.root = root
        self.metadata = metadata
    }

    /// The files' contents, in their order. A damaged file is a result, not an error. The caller's thread hashes the
    /// files while the process reads their metadata.
    ///
    /// - Throws: `StorageError` if the library cannot be read; `MetadataReaderError`.
    package nonisolated(nonsending) func read(_ files: [ObjectFile]) async throws -> [ObjectContent] {
        let root = root
        async let reading = metadata.read(Self.questions(files, root))
        let hashed = try files.map { try HashedObject($0, in: root) }
        return Self.contents(of: hashed, try await reading)
    }

    /// The content of one file; the calling thread waits.
    package static func read(
        _ file: ObjectFile, in root: Root, _ metadata: BlockingMetadataReader
    ) throws -> ObjectContent? {
        let answers = try metadata.read(questions([file], root))
        return contents(of: [try HashedObject(file, in: root)], answers).first
    }

    /// Two requests for each file that may be a rendition.
    private static func questions(_ files: [ObjectFile], _ root: Root) -> [MetadataRequest] {
        files.filter { $0.rendition != nil }.flatMap { file in
            [
                MetadataRequest(.identity, about: file.path, in: root),
                MetadataRequest(.size, about: LibraryLayout.preview(file.digest), in: root),
            ]
        }
    }

    private static func contents(of objects: [HashedObject], _ answers: [MetadataAnswer]) -> [ObjectContent] {
        var answers = answers[...]
        return objects.map { object in
            guard object.file.rendition != nil, let photo = answers.popFirst(), let preview = answers.popFirst() else {
                return object.content
            }
            return object.content(photo, preview: preview)
        }
    }
}

private struct HashedObject {
    let file: ObjectFile
    private let found: FileDigest
    /// Nil if missing or unreadable.
    private let preview: FileDigest?
    /// Why it is unreadable; nil if it is missing.
    private let previewCause: String?

    init(_ file: ObjectFile, in root: Root) throws(StorageError) {
        self.file = file
        found = try root.digest(of: file.path.bytes)
        let isRendition = file.rendition != nil && found.digest != file.digest
        do throws(StorageError) {
            preview = isRendition ? try root.digest(of: LibraryLayout.preview(file.digest).bytes) : nil
            previewCause = nil
        } catch {
            if error.isStorageGone { throw error }
            preview = nil
            previewCause = error.kind == .notFound ? nil : error.cause
        }
    }

    /// For a file that is not a rendition.
    var content: ObjectContent {
        if found.digest == file.digest {
            return .original(
                OriginalCopy(asset: file.digest, fileExtension: file.fileExtension, sizeBytes: found.facts.sizeBytes))
        }
        return .unknown(file.path, "a RAW's copy whose bytes do not have the hash in its name")
    }

    /// For a file that may be a rendition, from its metadata and its preview's.
    func content(_ photo: MetadataAnswer, preview: MetadataAnswer) -> ObjectContent {
        if found.digest == file.digest { return content }
        switch photo {
        case .identity(let identity): return rendition(identity, preview)
        case .nothing(let cause): return .unknown(file.path, "not a rendition: \(cause)")
        case .unread(let cause): return .unread(file.path, cause)
        case .size, .sidecar, .picture: return .unknown(file.path, "not a rendition")
        }
    }

    private func rendition(_ identity: RenditionIdentity, _ previewAnswer: MetadataAnswer) -> ObjectContent {
        let photo = FileRecord(
            digest: found.digest, sizeBytes: found.facts.sizeBytes,
            size: PixelSize(width: identity.width, height: identity.height))
        guard let key = file.rendition else { return .unknown(file.path, "not a rendition") }
        do throws(IdentityProblem) {
            let record = try RenditionRecord(
                identity, named: key, photo: photo, preview: previewRecord(previewAnswer),
                rendered: found.facts.modifiedNanoseconds)
            return .rendition(
                ObjectRendition(
                    record: record, modifiedMilliseconds: found.facts.modifiedNanoseconds / 1_000_000,
                    previewProblem: previewProblem(previewAnswer)))
        } catch {
            return .unknown(file.path, error.sentence)
        }
    }

    /// A preview whose metadata cannot be read counts as missing: viewers would fail on it, too.
    private func previewRecord(_ answer: MetadataAnswer) -> FileRecord? {
        guard let preview else { return nil }
        switch answer {
        case .unread: return nil
        case .size(let size):
            return FileRecord(digest: preview.digest, sizeBytes: preview.facts.sizeBytes, size: size)
        case .nothing, .identity, .sidecar, .picture:
            return FileRecord(digest: preview.digest, sizeBytes: preview.facts.sizeBytes, size: nil)
        }
    }

    private func previewProblem(_ answer: MetadataAnswer) -> String {
        if let previewCause { return "the preview cannot be read: \(previewCause)" }
        guard preview != nil, case .unread(let cause) = answer else { return "the preview is missing" }
        return ObjectContent.unreadSentence(cause)
    }
}
