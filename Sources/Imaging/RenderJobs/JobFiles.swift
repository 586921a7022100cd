internal import Digest
public import Jobs
public import Manifests
public import Storage

/// Opens the files of one job, makes those that its renditions are written to, and checks what was written. It is the
/// side of a render that may do so: the decoder may be in another process, and in the power of a hostile file.
///
/// What it gives out follows from the job alone. Nothing that the render says leads to another file: names come from
/// the hash of the RAW's bytes, which this class computes itself.
public final class JobFiles: RenderFiles {
    private let job: Job
    private let roots: Roots
    private let library: Root
    /// Where files are made that are to get no name in the library; nil if they are.
    private let scratch: Root?
    /// What is read for every frame.
    public let sources: SourceFiles
    private var hasher: FileHasher
    private var knownAsset: SHA256Value?
    /// The RAW could not be hashed to its end.
    private var hasFailed = false
    /// The frame whose files were given out last.
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
        /// Those that have no names yet.
        var files: [UnnamedFile]
        /// True if they have their names.
        var isNamed = false
    }

    /// So many frames wait for their names until the job ends. More would need too many descriptors.
    private static let maxWaitingFrames = 16

    /// Opens what is read for the job.
    ///
    /// - Parameters:
    ///   - roots: by name; must hold the library's own folder under `RootName.library`.
    ///   - scratch: a folder for pictures that are not to be the library's, which then need not be writable.
    ///   - hashed: a RAW whose hash is known. If it is this one, and did not change, it is not hashed again.
    ///   - opened: the source's files that are open already. One that is not as the job has it is opened anew.
    /// - Throws: `Failure` if the job cannot be rendered, because of itself or of its files.
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
        if let problem = job.recipe.problem { throw Failure(.malformedRecord, "The recipe is wrong: \(problem).") }
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
            throw Failure(.unknownRoot, "The folder \"\(file.root)\" of \(file) is not known here.")
        }
        return try catchingReadErrors(of: file) { () throws(StorageError) in try OpenFile(file.path.bytes, in: root) }
    }

    // MARK: - The RAW's hash

    /// True if there is more of the RAW to hash.
    public var canHash: Bool { knownAsset == nil && !hasFailed && !hasher.isDone }

    /// The RAW and its hash, for its next look; nil if the hash was not needed.
    public var hashed: HashedSource? { knownAsset.map { HashedSource(facts: sources.raw.facts, asset: $0) } }

    /// Hashes a megabyte of the RAW, if there is more. An error shows when the digest is needed.
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

    /// Names the photo of the job's first frame. Jobs with the same one render the same photos, of copies of one RAW.
    public var firstPhoto: RenditionKey { get throws(Failure) { key(try asset(), frame: 0) } }

    private func key(_ asset: SHA256Value, frame: UInt32) -> RenditionKey {
        RenditionKey(
            asset: asset, frame: frame, recipe: job.recipe.id, engine: Engine.version, format: job.recipe.format)
    }

    /// Makes the files of a frame, and opens what the library has of it.
    ///
    /// - Parameter question: names the frame, and what was written since the last question.
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

    /// Whether the RAW that a photo in the library names is still there, or the library has its copy.
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

    /// Where the RAW's copy belongs in the library.
    ///
    /// - Parameter stamp: the RAW, for its extension.
    private func copyPath(of asset: SHA256Value, from stamp: FileStamp) -> RelativePath {
        let path = stamp.file.path.bytes
        let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        let dot = name.lastIndex(of: UInt8(ascii: "."))
        let fileExtension = dot.map { String(decoding: name[($0 + 1)...], as: UTF8.self) } ?? ""
        return LibraryLayout.original(asset, fileExtension: fileExtension)
    }

    // MARK: - What was written

    private func accept(_ outputs: [FrameOutput]) throws(Failure) {
        for output in outputs {
            guard let frame = current, frame.number == output.frame, written[output.frame] == nil else { throw lied }
            written[output.frame] = WrittenFrame(
                key: frame.key, hasKnownPhoto: frame.files.knownPhoto != nil, files: try files(frame.files, output))
        }
    }

    /// The preview gets its name first, because the photo is what the library waits for.
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

    /// Names what was written so far, and lets go of it.
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
                throw Failure(.internalError, "Another photo got the name of one of \(job.source.raw.file) meanwhile.")
            }
        }
    }

    /// Checks what a render says it has made, and makes the RAW's copy where the job wants one.
    ///
    /// - Returns: what the renditions are, and their files, which have no names yet, in the order in which they get
    ///   them.
    /// - Throws: `Failure` if what the render says does not follow from the job, or the copy cannot be made.
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

    /// Whether the rendition is one of this job's, and its files are those that were given out for it.
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
        // Without a photo in the library there is nothing that could be taken from it.
        let isOwn = frame.files.count == FrameFiles.outputCount && rendition.original == job.source.raw
        return isWritten && (frame.isNamed || frame.hasKnownPhoto || isOwn)
    }

    private var lied: Failure {
        Failure(.internalError, "The render process said of \(job.source.raw.file) what cannot be.")
    }

    /// `--originals copy` and `move`: the RAW's bytes, verified by their hash, inside the library. The cataloguer gives
    /// them their name in the photo tree, and removes a moved source, after the rendition is in the library.
    ///
    /// - Returns: nil if the job leaves the RAW alone.
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
    /// Preview and photo.
    fileprivate static let outputCount = 2
}

/// A RAW whose hash is known, as long as the file system says the same of it.
public struct HashedSource: Hashable, Sendable {
    let facts: FileFacts
    let asset: SHA256Value
}
