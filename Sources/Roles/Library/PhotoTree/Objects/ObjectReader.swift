internal import Concurrency
internal import Digest
internal import Jobs
internal import Manifests
internal import MetadataHost
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

    init(root: Root, metadata: MetadataReader) { contents = ObjectContentReader(root: root, metadata: metadata) }

    /// The contents of the files, in their order. A damaged file is a result, not an error.
    ///
    /// - Throws: `StorageError` if the library cannot be read; `MetadataReaderError`.
    func read(_ paths: [RelativePath]) async throws -> [ObjectContent] {
        let files = paths.map { ObjectFile($0) }
        var read = try await contents.read(files.compactMap(\.self))[...]
        return zip(paths, files).map { path, file in
            file == nil ? .unknown(path, "its name is not one that Rawmill gives") : read.removeFirst()
        }
    }
}

/// Reads files of `objects/`. Other programs may have written them, so their metadata is read by a process in the sandbox.
struct ObjectContentReader: Sendable {
    private let root: Root
    private let metadata: MetadataReader

    init(root: Root, metadata: MetadataReader) {
        self.root = root
        self.metadata = metadata
    }

    /// What the files hold, in their order. A damaged file is a result, not an error.
    ///
    /// The files are hashed on the caller's thread while the process reads their metadata.
    ///
    /// - Throws: `StorageError` if the library cannot be read; `MetadataReaderError`.
    nonisolated(nonsending) func read(_ files: [ObjectFile]) async throws -> [ObjectContent] {
        let root = root
        async let reading = metadata.read(Self.questions(files, root))
        let hashed = try files.map { try HashedObject($0, in: root) }
        return Self.contents(of: hashed, try await reading)
    }

    /// What a file holds; the calling thread waits.
    ///
    /// - Throws: as the other one.
    static func read(
        _ file: ObjectFile, in root: Root, _ metadata: BlockingMetadataReader
    ) throws -> ObjectContent? {
        let answers = try metadata.read(questions([file], root))
        return contents(of: [try HashedObject(file, in: root)], answers).first
    }

    /// Two for each file that may be a rendition.
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

/// A file of `objects/` that was hashed, with its preview.
private struct HashedObject {
    let file: ObjectFile
    private let found: FileDigest
    /// Nil if it is missing or cannot be read.
    private let preview: FileDigest?
    /// Why it cannot be read; nil where it is missing.
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

    /// Of a file that is no rendition.
    var content: ObjectContent {
        if found.digest == file.digest {
            return .original(
                OriginalCopy(asset: file.digest, fileExtension: file.fileExtension, sizeBytes: found.facts.sizeBytes))
        }
        return .unknown(file.path, "a RAW's copy whose bytes do not have the hash in its name")
    }

    /// Of a file that may be a rendition, by what it and its preview say.
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

    /// A preview on which the reader failed is none: who shows it would fail on it, too.
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
