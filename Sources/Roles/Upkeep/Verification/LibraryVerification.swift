internal import Jobs
internal import LibraryTables
internal import Manifests
internal import MetadataHost
internal import PhotoTree
public import Storage

/// `rawmill library verify`: hashes every file of a library, and finds files without a row and rows without a file.
/// Other processes may write at the same time; findings during a run may then resolve themselves.
public struct LibraryVerification: Sendable {
    /// The result of a verification.
    public struct Report: Hashable, Sendable {
        /// Checked photos in `objects/`.
        public internal(set) var photos = 0
        /// Checked previews.
        public internal(set) var previews = 0
        /// Checked copies of RAWs.
        public internal(set) var copies = 0
        /// Good RAWs outside the library.
        public internal(set) var originals = 0
        /// Assets whose RAW is in an unconfigured root.
        public internal(set) var uncheckedOriginals = 0
        /// Users' files in `photos/`: adopted edits, and files with a photo's name.
        public internal(set) var peoples = 0
        /// Photos in `photos/` that are hard links to their objects, from version 0.1.0.
        public internal(set) var sharedPhotos = 0
        /// Bytes of all good files.
        public internal(set) var bytes: UInt64 = 0
        /// Findings by kind.
        public internal(set) var findings: [Finding.Kind: Int] = [:]
        /// The number of repaired findings.
        public internal(set) var repaired = 0
        /// True if another Rawmill wrote to the library at the same time.
        public internal(set) var isInUse = false

        /// An empty report.
        public init() {}

        /// True if there are no findings, or all were repaired.
        public var isClean: Bool { findings.values.reduce(0, +) == repaired }
    }

    private let folder: String
    private let roots: Roots
    private let checkerCount: Int
    private let sample: ContentSample
    private let bytesPerSecond: UInt64?
    private let metadataProgram: String

    /// - Parameters:
    ///   - folder: the library's folder.
    ///   - roots: the RAWs' roots. RAWs of other roots are not checked.
    ///   - checkers: threads that check files; at least one is used.
    ///   - sample: the files to read.
    ///   - bytesPerSecond: the highest reading rate; nil for no limit.
    ///   - metadataProgram: reads the metadata of changed photos, see `MetadataProcess`.
    public init(
        library folder: String, roots: Roots, checkers: Int, sample: ContentSample = .all,
        bytesPerSecond: UInt64? = nil,
        metadataProgram: String
    ) {
        self.folder = folder
        self.roots = roots
        checkerCount = max(1, checkers)
        self.sample = sample
        self.bytesPerSecond = bytesPerSecond
        self.metadataProgram = metadataProgram
    }

    /// Verifies the library.
    ///
    /// - Parameters:
    ///   - repair: makes lossless repairs: missing or wrong links, unfinished files, previews of unfinished photos, and
    ///     unknown names of files that have another name. Requires exclusive use of the library.
    ///   - adoptsEdits: adopts photos that users edited. Requires exclusive use of the library.
    ///   - onProgress: called repeatedly with the report so far.
    ///   - onFinding: called with each finding.
    /// - Throws: `LibraryError`; `CancellationError`.
    public func run(
        repair: Bool = false, adoptsEdits: Bool = false, onProgress: @escaping @Sendable (Report) -> Void = { _ in },
        onFinding: @escaping @Sendable (Finding) -> Void = { _ in }
    ) async throws -> Report {
        let lock = repair || adoptsEdits ? try LibraryLock(folder: folder) : nil
        // Creates no empty tables for a library that lost its own: that needs a rebuild.
        do { _ = try LibraryStore(folder: folder, mode: .read) } catch LibraryError.older where lock != nil {}
        let reporter = VerificationReporter(onProgress: onProgress, onFinding: onFinding)
        let metadata = MetadataReader(program: metadataProgram, library: folder)
        func onUnread(_ path: RelativePath, _ cause: String) {
            reporter.add(Finding(.metadataUnreadable, path, cause))
        }
        let repairer = try (repair ? lock : nil).map {
            try LibraryRepairer(folder: folder, lock: $0, metadata: metadata, onUnread: onUnread)
        }
        let adopter = try adoptsEdits ? lock.map { try EditAdopter(folder: folder, lock: $0) } : nil
        let store = try LibraryStore(folder: folder, mode: .read)
        let check = VerificationContext(
            store: store, checkers: ActorPool((0..<checkerCount).map { _ in FileChecker() }),
            announcers: ActorPool((0..<FileAnnouncer.count).map { _ in FileAnnouncer() }),
            repairer: repairer, adopter: adopter,
            editReader: EditReader(store: store, metadata: metadata, onUnread: onUnread), reporter: reporter,
            sample: sample, pace: ReadingPace(bytesPerSecond: bytesPerSecond))
        do {
            if lock == nil { check.reporter.update { $0.isInUse = isInUse } }
            try await RenditionCheck(check).run()
            if !sample.isEmpty { try await SourceCheck(check, roots: roots).run() }
            try await LinkCheck(check).run()
            try await UnknownFileScan(check).run()
            try UnfinishedWorkCheck(check).run()
        } catch let error as StorageError {
            throw LibraryError.storage(error, folder: folder)
        }
        return check.reporter.report
    }

    private var isInUse: Bool {
        do {
            _ = try LibraryLock(folder: folder)
            return false
        } catch {
            return (error as? LibraryError)?.kind == .busy
        }
    }
}
