internal import Concurrency
internal import Jobs
internal import Manifests
internal import Records
internal import Storage

/// Recognises each root, so that the folder of a missing mount is not mistaken for the root.
///
/// Nothing is ever written into a root: roots are users' archives, and often read-only. A root is known by a sample of
/// its names and sizes in the ledger. The sample is renewed each time a check recognises the root: at the start, for
/// each order, and in between before too little of it is left. Between orders, a root without any file of its sample is
/// no longer trusted: another folder may be mounted there. An operator can resolve that, or prevent it from the
/// beginning, with a file `.rawmill-root` with any text at the root's top.
actor RootRegistry {
    private nonisolated let executor = ThreadExecutor(name: "roots")
    /// A separate thread: a server that does not respond must not block anything else.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let ledger: Ledger
    private let library: String
    private let report: @Sendable (RunEvent) async -> Void

    init(ledger: Ledger, library: String, report: @escaping @Sendable (RunEvent) async -> Void) {
        self.ledger = ledger
        self.library = library
        self.report = report
    }

    enum Finding: Hashable {
        case known
        /// It is not empty, but contains no file of its sample.
        case changed
        /// It became empty, or its operator's mark is missing or different.
        case wrong(String)
    }

    /// Checks every root. A wrong one keeps its sample.
    func lookAtAll() async throws {
        for root in try await ledger.perform({ try $0.roots.all() }).all where root.name != .library {
            _ = try await problem(of: root)
        }
    }

    /// Checks a root, and stores a new sample if it is right. Returns the problem, as a sentence with its remedy, if
    /// any.
    func problem(of root: RegisteredRoot) async throws -> String? {
        let known = try await ledger.perform { try $0.roots.status(of: root.name) }
        let path = String(decoding: root.path, as: UTF8.self)
        let sample: FolderSample
        let finding: Finding
        do throws(StorageError) {
            let folder = try Root(path: path)
            sample = try FolderSample(of: folder)
            finding = try Self.finding(known.map(FolderSample.init), sample, folder)
        } catch {
            return "The root \(root.name), \(path), cannot be read: \(error.cause). Mount its storage."
        }
        switch finding {
        case .wrong(let cause):
            return
                "The root \(root.name), \(path), is not the same folder as before: \(cause). Mount the right "
                + "storage. If this is the right one, write any name into \(path)/.rawmill-root."
        case .changed: await report(.rootChanged(root.name))
        case .known: break
        }
        let status = RootStatus(root: root.name, sample)
        if status != known { try await ledger.perform { try $0.roots.setStatus(status) } }
        return nil
    }

    /// Checks every root at intervals, until the task is cancelled.
    func watch(every interval: Duration) async throws {
        while !Task.isCancelled {
            try await Task.sleep(for: interval)
            for root in try await ledger.perform({ try $0.roots.all() }).all where root.name != .library {
                _ = try await renew(root.name, at: String(decoding: root.path, as: UTF8.self))
            }
        }
    }

    /// Draws a new sample of a recognised root with little left of its sample, and of one that an operator has marked
    /// since. Returns whether it has a sample.
    @discardableResult
    func renew(_ name: RootName, at path: String) async throws -> Bool {
        let known = try await ledger.perform { try $0.roots.status(of: name) }
        let sample: FolderSample?
        // An unreadable root says nothing about itself; operations that need it report it.
        do throws(StorageError) {
            sample = try Self.successor(of: known.map(FolderSample.init), in: try Root(path: path))
        } catch { return false }
        guard let sample else { return false }
        let status = RootStatus(root: name, sample)
        if status != known { try await ledger.perform { try $0.roots.setStatus(status) } }
        return true
    }

    /// The sample that replaces a known one; nil to keep that one.
    private static func successor(
        of known: FolderSample?, in folder: Root
    ) throws(StorageError) -> FolderSample? {
        guard let known, !known.isEmpty else { return try FolderSample(of: folder) }
        if known.mark != nil { return nil }
        if try FolderSample.isMarked(folder) { return try FolderSample(of: folder) }
        guard try known.matches(folder), try known.isFading(in: folder) else { return nil }
        return try FolderSample(of: folder)
    }

    /// A root's folder and sample in the ledger; nil for an unknown root.
    func known(_ name: RootName) async throws -> (path: String, sample: FolderSample?)? {
        if name == .library { return (library, nil) }
        return try await ledger.perform { store in
            guard let path = try store.roots.all().path(of: name) else { return nil }
            return (String(decoding: path, as: UTF8.self), try store.roots.status(of: name).map(FolderSample.init))
        }
    }

    static func finding(
        _ known: FolderSample?, _ now: FolderSample, _ folder: Root
    ) throws(StorageError) -> Finding {
        guard let known, !known.isEmpty else { return .known }
        if try known.matches(folder) { return .known }
        // The operator's mark overrules the sample, and nothing overrules the mark.
        if let mark = known.mark { return .wrong("its .rawmill-root contained \"\(mark)\"") }
        if now.mark != nil { return .known }
        return now.isEmpty ? .wrong("it is empty, but was not before") : .changed
    }
}

extension RootStatus {
    init(root: RootName, _ sample: FolderSample) {
        self.init(
            root: root, mark: sample.mark,
            entries: sample.entries.compactMap { entry in
                RelativePath(bytes: entry.path).map { Entry(path: $0, sizeBytes: entry.sizeBytes) }
            })
    }
}

extension FolderSample {
    init(_ status: RootStatus) {
        self.init(
            mark: status.mark, entries: status.entries.map { Entry(path: $0.path.bytes, sizeBytes: $0.sizeBytes) })
    }
}
