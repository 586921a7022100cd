public import Jobs
internal import Manifests
internal import Storage

/// `rawmill library rebuild`: makes `library.sqlite` anew from what every rendition says of itself, and puts it in the
/// place of the old one at once. On a quiet library the two have the same content.
public struct LibraryRebuild: Sendable {
    /// A file that is not in the rebuilt library, or misses something.
    public struct Problem: Hashable, Sendable {
        public let path: RelativePath
        public let message: String
    }

    public struct Report: Hashable, Sendable {
        public internal(set) var renditions = 0
        public internal(set) var copies = 0
        public internal(set) var missingPreviews = 0
        /// Files of `objects/` that are none of ours, damaged, or belong to nothing.
        public internal(set) var unknownFiles = 0
        /// True where the old database's offsets could be kept; else every manifest is read again, which does no harm.
        public internal(set) var keepsOffsets = false
    }

    private let folder: String
    private let readers: Int

    /// - Parameter readers: threads that read and hash files.
    public init(library folder: String, readers: Int) {
        self.folder = folder
        self.readers = max(1, readers)
    }

    /// - Parameters:
    ///   - onProgress: gets the number of files read, now and then.
    ///   - onProblem: gets every problem as it is met.
    /// - Throws: `LibraryError`; the old database is untouched then. Cancelling the task does the same.
    public func run(
        onProgress: @Sendable (Int) -> Void = { _ in }, onProblem: @Sendable (Problem) -> Void = { _ in }
    ) async throws -> Report {
        let library = try ReplacementDatabase(folder: folder)
        var report = Report()
        report.keepsOffsets = library.keepsBookkeeping
        do {
            try await fill(library, &report, onProgress, onProblem)
        } catch let error as StorageError {
            throw LibraryError.storage(error, folder: folder)
        }
        for orphan in try library.arrange() {
            report.copies -= 1
            report.unknownFiles += 1
            onProblem(Problem(path: orphan, message: "the copy of a RAW that has no rendition"))
        }
        try library.replace()
        return report
    }

    private func fill(
        _ library: ReplacementDatabase, _ report: inout Report, _ onProgress: @Sendable (Int) -> Void,
        _ onProblem: @Sendable (Problem) -> Void
    ) async throws {
        let root = try Root(path: folder)
        let pool = try (0..<readers).map { _ in try ObjectReader(root: root) }
        guard let objects = RelativePath(LibraryLayout.objects) else { return }
        var walk = FileWalk(root: root, below: objects)
        var read = 0
        while true {
            try Task.checkCancellation()
            let paths = try walk.next(500)
            if paths.isEmpty { return }
            let contents = try await shared(paths, among: pool) { try await $0.read($1) }
            try add(contents, to: library, &report, onProblem)
            read += paths.count
            onProgress(read)
        }
    }

    private func add(
        _ contents: [ObjectContent], to library: ReplacementDatabase, _ report: inout Report,
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
                onProblem(Problem(path: path, message: "the preview is missing"))
            case .original(let copy): copies.append(copy)
            case .unknown(let path, let message):
                report.unknownFiles += 1
                onProblem(Problem(path: path, message: message))
            }
        }
        report.renditions += renditions.count
        report.copies += copies.count
        try library.add(renditions, copies: copies)
    }
}
