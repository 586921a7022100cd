internal import Digest
public import Jobs
public import Manifests
public import Storage

/// Opens the files of one job, creates the files of its renditions, and verifies what was written. It runs outside the
/// render process, which a hostile file may control.
///
/// All files follow from the job alone. The render's answers never name a file: names derive from the RAW's hash, which
/// this class computes itself.
public final class JobFiles: RenderFiles {
    private let job: Job
    private let roots: Roots
    private let library: Root
    /// Folder for files that the library does not receive; nil if it receives them.
    private let scratch: Root?
    /// Input files of the whole job.
    public let sources: SourceFiles
    private var hasher: FileHasher
    private var knownAsset: SHA256Value?
    private var hasFailed = false
    /// The frame whose files were handed out last.
    private var current: OpenFrame?
    private var written: [UInt32: WrittenFrame] = [:]

    private struct OpenFrame {
        let number: UInt32
        let key: RenditionKey
        let files: FrameFiles
    }

    private struct WrittenFrame {
        let key: RenditionKey
        let hasKnownPhoto: Bool
        var files: [UnnamedFile]
        var isNamed = false
    }

    /// Maximum number of frames whose names wait for the end of the job. More would need too many descriptors.
    private static let maxWaitingFrames = 16

    /// Opens the job's files.
    ///
    /// - Parameters:
    ///   - roots: by name; must contain the library under `RootName.library`.
    ///   - scratch: a folder for pictures that the library does not receive; the library may then be read-only.
    ///   - hashed: a RAW with known hash. If it is the job's RAW and unchanged, it is not hashed again.
    ///   - opened: already open files of the source. A file that differs from the job's record is reopened.
    /// - Throws: `Failure` if the job or its files cannot be rendered.
    public init(
        _ job: Job, roots: Roots, scratch: Root? = nil, hashed: HashedSource? = nil,
        opened: [FileStamp: OpenFile] = [:]
    ) throws(Failure) {
        try Self.check(job)
        guard let library = roots[RootName.library.text] else {
            throw Failure(.unknownRoot, "The library's folder was not given.")
        }
        self.job = job
        self.roots = roots
        self.library = library
        self.scratch = scratch
        let source = job.source
        let raw = try Self.open(source.raw, roots, opened)
        sources = SourceFiles(
            raw: raw, sidecar: try source.sidecar.map { stamp throws(Failure) in try Self.open(stamp, roots, opened) },
            companion: try source.companion.map { stamp throws(Failure) in try Self.open(stamp, roots, opened) },
            lookTable: try RecipeFiles.lookTable(job.recipe.look, in: library),
            lensTable: try RecipeFiles.lensTable(job.recipe, in: library),
            cameraProfiles: try RecipeFiles.cameraProfiles(job.recipe, in: library))
        hasher = FileHasher(raw)
        if let hashed, hashed.facts == raw.facts { knownAsset = hashed.asset }
    }

    private static func check(_ job: Job) throws(Failure) {
        guard job.engineNeeded <= Engine.version else {
            throw Failure(
                .newerWriter,
                "\(job.source.raw.file) needs engine \(job.engineNeeded); this is engine \(Engine.version). Upgrade it."
            )
        }
        if let problem = job.recipe.problem { throw Failure(.malformedRecord, "The recipe is invalid: \(problem).") }
    }

    private static func open(
        _ stamp: FileStamp, _ roots: Roots, _ opened: [FileStamp: OpenFile]
    ) throws(Failure) -> OpenFile {
        let file = stamp.file
        if let known = opened[stamp], known.facts.sizeBytes == stamp.sizeBytes,
            known.facts.modifiedNanoseconds == stamp.modifiedNanoseconds
        {
            return known
        }
        guard let root = roots[file.root.text] else {
            throw Failure(.unknownRoot, "The root \"\(file.root)\" of \(file) is not configured here.")
        }
        return try catchingReadErrors(of: file) { () throws(StorageError) in try OpenFile(file.path.bytes, in: root) }
    }

    // MARK: - The RAW's hash

    /// Whether a part of the RAW is not hashed yet.
    public var canHash: Bool { knownAsset == nil && !hasFailed && !hasher.isDone }

    /// The RAW and its hash, for its next look; nil if the hash was not computed.
    public var hashed: HashedSource? { knownAsset.map { HashedSource(facts: sources.raw.facts, asset: $0) } }

    /// Hashes up to a megabyte of the RAW. Errors are thrown when the digest is needed.
    public func hashMore() {
        do throws(StorageError) { try hasher.advance() } catch { hasFailed = true }
    }

    private func asset() throws(Failure) -> SHA256Value {
        if let knownAsset { return knownAsset }
        let digest = try catchingReadErrors(of: job.source.raw.file) { () throws(StorageError) in try hasher.finish() }
        knownAsset = digest
        return digest
    }

    // MARK: - Frames

    /// Key of the first frame's photo. Jobs with the same key render the same photos, of copies of one RAW.
    public var firstPhoto: RenditionKey { get throws(Failure) { key(try asset(), frame: 0) } }

    private func key(_ asset: SHA256Value, frame: UInt32) -> RenditionKey {
        RenditionKey(
            asset: asset, frame: frame, recipe: job.recipe.id, engine: Engine.version, format: job.recipe.format)
    }

    /// Creates the files of a frame, and opens the library's existing ones.
    ///
    /// - Parameter question: the frame, and the files written since the last question.
    public func frame(_ question: FrameQuestion) throws(Failure) -> FrameFiles {
        try accept(question.finished)
        current = nil
        if written.values.count(where: { !$0.isNamed }) >= Self.maxWaitingFrames { try nameWritten() }
        let asset = try asset()
        let key = key(asset, frame: question.frame)
        let (photo, preview) = (LibraryLayout.photo(key).bytes, LibraryLayout.preview(key).bytes)
        let files = try catchingLibraryErrors { () throws(StorageError) in
            FrameFiles(
                asset: asset, preview: try BlankFile(for: preview, in: scratch ?? library),
                photo: try BlankFile(for: photo, in: scratch ?? library), knownPhoto: try? OpenFile(photo, in: library),
                knownPreview: try? OpenFile(preview, in: library))
        }
        current = OpenFrame(number: question.frame, key: key, files: files)
        return files
    }

    /// Whether the RAW of a library's photo still exists, or the library has a copy of it.
    public func isThere(_ original: FileStamp) throws(Failure) -> Bool {
        if let facts = try? roots[original.file.root.text]?.facts(of: original.file.path.bytes),
            facts.sizeBytes == original.sizeBytes
        {
            return true
        }
        let asset = try asset()
        return [original, job.source.raw].contains { stamp in
            (try? library.factsIfPresent(of: copyPath(of: asset, from: stamp).bytes)) ?? nil != nil
        }
    }

    /// Path of the RAW's copy in the library.
    ///
    /// - Parameter stamp: the RAW, for its extension.
    private func copyPath(of asset: SHA256Value, from stamp: FileStamp) -> RelativePath {
        let path = stamp.file.path.bytes
        let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        let dot = name.lastIndex(of: UInt8(ascii: "."))
        let fileExtension = dot.map { String(decoding: name[($0 + 1)...], as: UTF8.self) } ?? ""
        return LibraryLayout.original(asset, fileExtension: fileExtension)
    }

    // MARK: - Written files

    private func accept(_ outputs: [FrameOutput]) throws(Failure) {
        for output in outputs {
            guard let frame = current, frame.number == output.frame, written[output.frame] == nil else { throw lied }
            written[output.frame] = WrittenFrame(
                key: frame.key, hasKnownPhoto: frame.files.knownPhoto != nil, files: try files(frame.files, output))
        }
    }

    /// The preview is named first: a photo in the library always has its preview.
    private func files(_ given: FrameFiles, _ output: FrameOutput) throws(Failure) -> [UnnamedFile] {
        let photoExisting: ExistingFile = output.replacesPhoto ? .replace : .keep
        var files: [UnnamedFile] = []
        for (blank, file, existing) in [
            (given.preview, output.preview, .replace), (given.photo, output.photo, photoExisting),
        ] {
            guard let file else { continue }
            do throws(StorageError) {
                files.append(
                    try UnnamedFile(blank, existing: existing, digest: file.digest, sizeBytes: file.sizeBytes))
            } catch {
                throw lied
            }
        }
        return files
    }

    /// Names the files written so far, and closes them.
    private func nameWritten() throws(Failure) {
        let files = written.sorted { $0.key < $1.key }.flatMap(\.value.files)
        for frame in written.keys {
            written[frame]?.files = []
            written[frame]?.isNamed = true
        }
        let results = try catchingLibraryErrors { () throws(StorageError) in try library.publish(files) }
        for result in results {
            let publication = try catchingLibraryErrors { () throws(StorageError) in try result.get() }
            guard publication.outcome != .kept else {
                throw Failure(
                    .internalError, "Another photo took the name of a photo of \(job.source.raw.file) meanwhile.")
            }
        }
    }

    /// Verifies the results of a render, and copies the RAW if the job requires it.
    ///
    /// - Returns: the renditions, and their unnamed files in the order of naming.
    /// - Throws: `Failure` if the results do not follow from the job, or the copy fails.
    public func finish(
        _ frames: RenderedFrames, _ outputs: [FrameOutput]
    ) throws(Failure) -> (RenderedFrames, [UnnamedFile]) {
        try accept(outputs)
        guard frames.renditions.allSatisfy(isTrue), Set(frames.renditions.map(\.frame)).count == frames.count else {
            throw lied
        }
        let files = frames.renditions.flatMap { written[$0.frame]?.files ?? [] }
        guard let copy = try originalCopy() else { return (frames, files) }
        return (RenderedFrames(frames.renditions.map { $0.with(originalCopy: copy) }, failures: frames.failures), files)
    }

    /// Whether the rendition belongs to this job, and its files are those that were handed out.
    private func isTrue(_ rendition: Rendition) -> Bool {
        guard let frame = written[rendition.frame], rendition.key == frame.key, rendition.recipe == job.recipe,
            rendition.photo.path == LibraryLayout.photo(frame.key),
            rendition.preview.path == LibraryLayout.preview(frame.key), rendition.originalCopy == nil
        else { return false }
        let isWritten = frame.files.allSatisfy { file in
            [rendition.photo, rendition.preview].contains {
                $0.path.bytes == file.path && $0.digest == file.digest && $0.sizeBytes == file.sizeBytes
            }
        }
        // Without an existing photo, nothing can be reused, so both files must be new.
        let isOwn = frame.files.count == FrameFiles.outputCount && rendition.original == job.source.raw
        return isWritten && (frame.isNamed || frame.hasKnownPhoto || isOwn)
    }

    private var lied: Failure {
        Failure(.internalError, "The render process returned an invalid result for \(job.source.raw.file).")
    }

    /// The verified copy of the RAW in the library, for `--originals copy` and `move`. After the rendition is
    /// catalogued, the cataloguer names it in the photo tree and removes a moved source.
    ///
    /// - Returns: nil if the job does not copy the RAW.
    private func originalCopy() throws(Failure) -> ProducedFile? {
        let raw = job.source.raw
        guard job.originals != .reference, let root = roots[raw.file.root.text] else { return nil }
        let asset = try asset()
        let path = copyPath(of: asset, from: raw)
        let publication = try catchingLibraryErrors { () throws(StorageError) in
            try library.publishCopy(
                of: raw.file.path.bytes, in: root, digest: asset, at: path.bytes, existing: .replace)
        }
        return ProducedFile(path: path, digest: publication.digest, sizeBytes: publication.sizeBytes, size: nil)
    }
}

extension FrameFiles {
    fileprivate static let outputCount = 2
}

/// A RAW with known hash, valid while its file facts are unchanged.
public struct HashedSource: Hashable, Sendable {
    let facts: FileFacts
    let asset: SHA256Value
}
