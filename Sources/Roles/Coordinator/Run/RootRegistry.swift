internal import Concurrency
internal import Jobs
internal import Manifests
internal import Records
internal import Storage

/// Knows by what the coordinator and the workers recognise each root, so that a folder whose mount is missing is not taken
/// for the root.
///
/// Nothing is ever written into a root: they are people's archives, and often read-only. A root is known by a sample of
/// its names and sizes, which the ledger keeps and which is drawn anew each time that the root is looked at and is right:
/// at the start, for each order, and in between before too little is left of it. Between orders a root of which nothing is
/// left is no longer believed to be the root: another folder may be mounted there. An operator's word ends that, and gives
/// certainty from the beginning: a file `.rawmill-root` with a text of his own at the root's top.
actor RootRegistry {
    private nonisolated let executor = ThreadExecutor(name: "roots")
    /// A thread of its own: a server that does not respond must not hold anything else.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let ledger: Ledger
    /// The library's folder.
    private let library: String
    private let report: @Sendable (RunEvent) async -> Void

    init(ledger: Ledger, library: String, report: @escaping @Sendable (RunEvent) async -> Void) {
        self.ledger = ledger
        self.library = library
        self.report = report
    }

    /// What a look at a root showed.
    enum Finding: Hashable {
        /// It is the root.
        case known
        /// It is not empty, but nothing by which it was known is there.
        case changed
        /// It is empty and was not, or its operator's mark is missing or another one.
        case wrong(String)
    }

    /// Looks at every root. One that is wrong keeps its sample.
    func lookAtAll() async throws {
        for root in try await ledger.perform({ try $0.roots.all() }).all where root.name != .library {
            _ = try await problem(of: root)
        }
    }

    /// Looks at a root, and keeps a new sample of it if it is right.
    ///
    /// - Returns: what is wrong with it, as a sentence with its remedy; nil if it is the root.
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
            return "The root \(root.name), \(path), cannot be read: \(error.cause). Is the storage mounted?"
        }
        switch finding {
        case .wrong(let cause):
            return
                "The root \(root.name), \(path), is not the folder it was: \(cause). Is the storage mounted? If it is right, "
                + "write a name of your choice into \(path)/.rawmill-root."
        case .changed: await report(.rootChanged(root.name))
        case .known: break
        }
        let status = RootStatus(root: root.name, sample)
        if status != known { try await ledger.perform { try $0.roots.setStatus(status) } }
        return nil
    }

    /// Looks at every root now and then, until the task is cancelled.
    func watch(every interval: Duration) async throws {
        while !Task.isCancelled {
            try await Task.sleep(for: interval)
            for root in try await ledger.perform({ try $0.roots.all() }).all where root.name != .library {
                _ = try await renew(root.name, at: String(decoding: root.path, as: UTF8.self))
            }
        }
    }

    /// Draws a new sample of a root that is recognised and of whose sample little is left, and of one that an operator has
    /// named since.
    ///
    /// - Returns: true if it has one.
    @discardableResult
    func renew(_ name: RootName, at path: String) async throws -> Bool {
        let known = try await ledger.perform { try $0.roots.status(of: name) }
        let sample: FolderSample?
        // A root that cannot be read now says nothing about itself; what needs it says that it is away.
        do throws(StorageError) {
            sample = try Self.successor(of: known.map(FolderSample.init), in: try Root(path: path))
        } catch { return false }
        guard let sample else { return false }
        let status = RootStatus(root: name, sample)
        if status != known { try await ledger.perform { try $0.roots.setStatus(status) } }
        return true
    }

    /// The sample that takes the place of a known one; nil where that one stays.
    private static func successor(
        of known: FolderSample?, in folder: Root
    ) throws(StorageError) -> FolderSample? {
        guard let known, !known.isEmpty else { return try FolderSample(of: folder) }
        if known.mark != nil { return nil }
        if try FolderSample.isMarked(folder) { return try FolderSample(of: folder) }
        guard try known.matches(folder), try known.isFading(in: folder) else { return nil }
        return try FolderSample(of: folder)
    }

    /// Opens a root as the ledger knows it.
    ///
    /// - Returns: the folder and the sample by which it is known; nil for a root that the ledger does not know.
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
        // The operator's word overrules what was seen; nothing overrules the operator's word.
        if let mark = known.mark { return .wrong("its .rawmill-root said \"\(mark)\"") }
        if now.mark != nil { return .known }
        return now.isEmpty ? .wrong("it is empty and was not") : .changed
    }
}

extension RootStatus {
    /// A sample as a record. Names that no message could hold are left out.
    init(root: RootName, _ sample: FolderSample) {
        self.init(
            root: root, mark: sample.mark,
            entries: sample.entries.compactMap { entry in
                RelativePath(bytes: entry.path).map { Entry(path: $0, sizeBytes: entry.sizeBytes) }
            })
    }
}

extension FolderSample {
    /// The sample that a record holds.
    init(_ status: RootStatus) {
        self.init(
            mark: status.mark, entries: status.entries.map { Entry(path: $0.path.bytes, sizeBytes: $0.sizeBytes) })
    }
}
