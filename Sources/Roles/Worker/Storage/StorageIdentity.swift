internal import Jobs
internal import Manifests
internal import Storage
internal import Synchronization

/// Checks that this machine's folders are the ones that the jobs mean. A folder whose mount is missing or different has
/// the right path but is the wrong folder. A mismatch is a fault of the worker's storage, never a failure of a photo.
///
/// Every check opens the folder by its path: mounts may have changed since.
final class StorageIdentity: Sendable {
    private struct Expected {
        /// Nil until a cluster or a job has named it.
        var library: FolderIdentity?
        var roots: [String: ExpectedRoot] = [:]
        /// The library's folder that the worker and its render processes have open.
        var openLibrary: FileID?
    }

    private struct ExpectedRoot {
        let sample: FolderSample
        /// The folder's identity on this machine, for a worker that trusts the roots as they are: it stays the root
        /// even when all files are moved out of it.
        var folder: FileID?
    }

    private let expected = Mutex(Expected())
    private let paths: [String: String]

    init(_ roots: Roots) {
        defer { if let library = roots[RootName.library.text] { opened(library) } }
        paths = Dictionary(uniqueKeysWithValues: roots.names.compactMap { name in roots[name].map { (name, $0.path) } })
    }

    func opened(_ library: Root) {
        let id = try? library.facts(of: []).id
        expected.withLock { $0.openLibrary = id }
    }

    /// Records the identity of the jobs' library. Returns true if it was unknown or different.
    @discardableResult
    func expectLibrary(_ identity: String) -> Bool {
        guard let identity = FolderIdentity(identity) else { return false }
        return expected.withLock { expected in
            defer { expected.library = identity }
            return expected.library != identity
        }
    }

    func expectRoot(_ name: String, _ sample: FolderSample) {
        expected.withLock { $0.roots[name] = ExpectedRoot(sample: sample) }
    }

    func expectRootsAsTheyAre() {
        for name in paths.keys where name != RootName.library.text {
            guard let root = open(name), let sample = try? FolderSample(of: root) else { continue }
            let folder = try? root.facts(of: []).id
            expected.withLock { $0.roots[name] = ExpectedRoot(sample: sample, folder: folder) }
        }
    }

    private func open(_ name: String) -> Root? { paths[name].flatMap { try? Root(path: $0) } }

    // MARK: - Checks

    /// Why the library's folder is wrong; nil if it is the library, or if the expected library is unknown. `isOpen` is
    /// false if the folder is about to be opened again.
    func libraryProblem(isOpen: Bool = true) -> Failure? {
        let (library, open) = expected.withLock { ($0.library, $0.openLibrary) }
        guard let identity = library else { return nil }
        let path = paths[RootName.library.text] ?? ""
        do throws(StorageError) {
            let root = try Root(path: path)
            let found = try root.identity(at: Array(LibraryLayout.identity.utf8))
            guard found == identity else { return Self.wrongLibrary(path, found, identity) }
            // The open folder may be the mount point below: a worker can start before its storage is mounted.
            guard isOpen, let open, try root.facts(of: []).id != open else { return nil }
            return Failure(.storageUnavailable, "The library's folder \(path) was mounted after it was opened.")
        } catch {
            return Failure(.storageUnavailable, "The library's folder \(path) cannot be read: \(error.cause).")
        }
    }

    /// Whether the folder is a different library.
    var isOtherLibrary: Bool {
        guard let identity = expected.withLock({ $0.library }), let root = open(RootName.library.text),
            let found = try? root.identity(at: Array(LibraryLayout.identity.utf8))
        else { return false }
        return found != identity
    }

    private static func wrongLibrary(_ path: String, _ found: FolderIdentity?, _ expected: FolderIdentity) -> Failure {
        let cause = found.map { "is the library \($0)" } ?? "is not a library"
        return Failure(
            .storageUnavailable,
            "The folder \(path) \(cause), but the jobs are for the library \(expected). Mount the right storage here; "
                + "nothing is rendered until then.")
    }

    /// Why a root is wrong; nil if it is right, or nothing is known about it.
    func rootProblem(_ name: String) -> Failure? {
        guard let expected = expected.withLock({ $0.roots[name] }), let path = paths[name] else { return nil }
        do throws(StorageError) {
            let root = try Root(path: path)
            if let folder = expected.folder, try root.facts(of: []).id == folder { return nil }
            if try expected.sample.matches(root) { return nil }
            return Failure(
                .storageUnavailable,
                "The folder \(path) is not the root \(name) that the coordinator sees: none of the expected files is "
                    + "there, and nothing is rendered. Mount the right storage here, or, if it is the right folder, "
                    + "write a name of your choice into \(path)/.rawmill-root.")
        } catch {
            return Failure(.storageUnavailable, "The root \(name), \(path), cannot be read: \(error.cause).")
        }
    }

    func problem() -> Failure? {
        if let problem = libraryProblem(isOpen: false) { return problem }
        for name in paths.keys.sorted() where name != RootName.library.text {
            if let problem = rootProblem(name) { return problem }
        }
        return nil
    }
}
