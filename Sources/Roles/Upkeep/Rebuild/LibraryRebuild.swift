public import Jobs
internal import LibraryTables
internal import Manifests
internal import MetadataHost
internal import PhotoTree
internal import Storage
internal import Synchronization

/// `rawmill library rebuild`: makes `library.sqlite` again from the identity in every rendition, and replaces the old
/// database in one step. Both have the same content if no writer changes the library meanwhile.
public struct LibraryRebuild: Sendable {
    /// A file that is missing from the rebuilt library or incomplete.
    public struct Problem: Hashable, Sendable {
        /// The file's path below the library's folder.
        public let path: RelativePath
        /// The problem, as a sentence.
        public let message: String
    }

    /// The result of a rebuild.
    public struct Report: Hashable, Sendable {
        /// Renditions in the new database.
        public internal(set) var renditions = 0
        /// Copies of RAWs in the new database.
        public internal(set) var copies = 0
        /// Renditions without a preview.
        public internal(set) var missingPreviews = 0
        /// Edits in `photos/` that were recovered as users' files, because the old database was unreadable.
        public internal(set) var edits = 0
        /// Files of `objects/` that are foreign, damaged, or belong to no rendition; files of `photos/` with unreadable
        /// metadata.
        public internal(set) var unknownFiles = 0
        /// True if the old database's offsets were kept. Otherwise every manifest is read again, which is harmless.
        public internal(set) var keepsOffsets = false
        /// The damage of the old database, which lost albums and histories of edits. Nil if it was read or is missing.
        public internal(set) var damage: String?
        /// The place of the kept damaged database, for messages.
        public internal(set) var kept: String?
    }

    private let folder: String
    private let readerCount: Int
    private let metadataProgram: String

    /// - Parameters:
    ///   - folder: the library's folder.
    ///   - readers: threads that read and hash files, each with a process that reads metadata; at least one is used.
    ///   - metadataProgram: the program of these processes, see `MetadataProcess`.
    public init(library folder: String, readers: Int, metadataProgram: String) {
        self.folder = folder
        readerCount = max(1, readers)
        self.metadataProgram = metadataProgram
    }

    /// Rebuilds the database. Cancelling the task leaves the old database unchanged.
    ///
    /// - Parameters:
    ///   - onProgress: called repeatedly with the number of files read.
    ///   - onProblem: called with every problem.
    /// - Throws: `LibraryError`, also if the old database is temporarily unreadable. The old database is then
    ///   unchanged. If it was lost, the new one may be in place, with some of the edits.
    public func run(
        onProgress: @Sendable (Int) -> Void = { _ in }, onProblem: @Sendable (Problem) -> Void = { _ in }
    ) async throws -> Report {
        let replacement = try ReplacementDatabase(folder: folder)
        var report = Report()
        report.keepsOffsets = replacement.keepsBookkeeping
        report.damage = replacement.damage
        do {
            try await fill(replacement, &report, onProgress, onProblem)
        } catch {
            throw LibraryError(error, folder: folder) ?? error
        }
        for orphan in try replacement.arrangeTree() {
            report.copies -= 1
            report.unknownFiles += 1
            onProblem(Problem(path: orphan, message: "the copy of a RAW that has no rendition"))
        }
        let (store, kept) = try replacement.replaceOld()
        report.kept = kept
        if !report.keepsOffsets { try await takeEdits(store, &report, onProblem) }
        return report
    }

    private func takeEdits(
        _ store: LibraryStore, _ report: inout Report, _ onProblem: @Sendable (Problem) -> Void
    ) async throws {
        let unread = Mutex<[Problem]>([])
        let metadata = MetadataReader(program: metadataProgram, library: folder)
        let recovery = EditRecovery(store: store, metadata: metadata) { path, cause in
            let problem = Problem(path: path, message: ObjectContent.unreadSentence(cause))
            unread.withLock { $0.append(problem) }
        }
        do { report.edits = try await recovery.run() } catch { throw LibraryError(error, folder: folder) ?? error }
        let problems = unread.withLock { $0 }
        report.unknownFiles += problems.count
        for problem in problems { onProblem(problem) }
    }

    private func fill(
        _ replacement: ReplacementDatabase, _ report: inout Report, _ onProgress: @Sendable (Int) -> Void,
        _ onProblem: @Sendable (Problem) -> Void
    ) async throws {
        let root = try Root(path: folder)
        let readers = ActorPool(
            (0..<readerCount).map { _ in
                ObjectReader(root: root, metadata: MetadataReader(program: metadataProgram, library: folder))
            })
        guard let objects = RelativePath(LibraryLayout.objects) else { return }
        var walk = FileWalk(root: root, below: objects)
        var readCount = 0
        while true {
            try Task.checkCancellation()
            let paths = try walk.next(500)
            if paths.isEmpty { return }
            let contents = try await readers.map(paths) { try await $0.read($1) }
            try add(contents, to: replacement, &report, onProblem)
            readCount += paths.count
            onProgress(readCount)
        }
    }

    private func add(
        _ contents: [ObjectContent], to replacement: ReplacementDatabase, _ report: inout Report,
        _ onProblem: @Sendable (Problem) -> Void
    ) throws {
        var renditions: [ObjectRendition] = []
        var copies: [OriginalCopy] = []
        for content in contents {
            switch content {
            case .rendition(let rendition):
                renditions.append(rendition)
                guard rendition.record.preview == nil else { continue }
                report.missingPreviews += 1
                let path = LibraryLayout.preview(rendition.record.key)
                onProblem(Problem(path: path, message: rendition.previewProblem))
            case .original(let copy): copies.append(copy)
            case .unknown(let path, let message):
                report.unknownFiles += 1
                onProblem(Problem(path: path, message: message))
            case .unread(let path, let cause):
                report.unknownFiles += 1
                onProblem(Problem(path: path, message: ObjectContent.unreadSentence(cause)))
            }
        }
        report.renditions += renditions.count
        report.copies += copies.count
        try replacement.add(renditions, copies: copies)
    }
}
