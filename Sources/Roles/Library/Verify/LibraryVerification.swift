internal import Jobs
internal import Manifests
public import Storage

/// `rawmill library verify`: hashes every file of a library, and looks for files without a row and rows without a
/// file. Reads while others write; what it finds while a conversion runs may resolve itself.
public struct LibraryVerification: Sendable {
    public struct Report: Hashable, Sendable {
        public internal(set) var photos = 0
        public internal(set) var previews = 0
        public internal(set) var copies = 0
        /// RAWs outside the library that were read.
        public internal(set) var originals = 0
        /// Assets whose RAW is in a root that was not given.
        public internal(set) var uncheckedOriginals = 0
        public internal(set) var bytes: UInt64 = 0
        public internal(set) var findings: [Finding.Kind: Int] = [:]
        public internal(set) var repaired = 0
        /// True where another Rawmill wrote to the library meanwhile.
        public internal(set) var isInUse = false

        public init() {}

        /// Nothing is wrong any more.
        public var isClean: Bool { findings.values.reduce(0, +) == repaired }
    }

    private let folder: String
    private let roots: Roots
    private let checkers: Int
    private let hashes: Bool

    /// - Parameters:
    ///   - roots: where the RAWs are; those of other roots are not checked.
    ///   - checkers: threads that look at files.
    ///   - hashes: false to compare sizes instead of contents, and to leave the RAWs alone.
    public init(library folder: String, roots: Roots, checkers: Int, hashes: Bool = true) {
        self.folder = folder
        self.roots = roots
        self.checkers = max(1, checkers)
        self.hashes = hashes
    }

    /// - Parameters:
    ///   - repair: puts right what can be without a loss: links that are missing or wrong, unfinished files, previews of
    ///     photos that were never finished, unknown names of files that have another name. Needs the library for itself.
    ///   - onProgress: gets the report so far, now and then.
    ///   - onFinding: gets every finding as it is met.
    /// - Throws: `LibraryError`.
    public func run(
        repair: Bool = false, onProgress: @escaping @Sendable (Report) -> Void = { _ in },
        onFinding: @escaping @Sendable (Finding) -> Void = { _ in }
    ) async throws -> Report {
        let lock = repair ? try LibraryLock(folder: folder) : nil
        let library = try LibraryStore(folder: folder, mode: .read)
        var run = VerificationRun(
            library: library, roots: roots, hashes: hashes, checkers: (0..<checkers).map { _ in FileChecker() },
            repairer: try lock.map { try Repairer(folder: folder, lock: $0) }, onProgress: onProgress,
            onFinding: onFinding)
        do {
            if !repair { run.report.isInUse = isInUse }
            try await run.checkFiles()
            try run.lookForUnknownFiles()
            try run.lookForUnfinishedWork()
        } catch let error as StorageError {
            throw LibraryError.storage(error, folder: folder)
        }
        return run.report
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
