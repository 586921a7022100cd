internal import Jobs
internal import Manifests
internal import Storage
internal import Synchronization

/// Whether the folders of this machine are the ones that the jobs mean. A folder whose mount is missing, or is another one,
/// has the right path and is still the wrong folder. What is wrong is a fault of the worker's storage, never a verdict on a
/// photo.
///
/// Every look opens the folder by its path: a mount may have come or gone since it was opened last.
final class StorageIdentity: Sendable {
    private struct Expected {
        /// Nil before a cluster, or a job, has said it.
        var library: FolderIdentity?
        var roots: [String: ExpectedRoot] = [:]
        /// The library's folder as the worker and its render processes have it open.
        var openLibrary: FileID?
    }

    private struct ExpectedRoot {
        let sample: FolderSample
        /// The folder's identity on this machine, for a worker that takes the roots as it finds them: it stays the root, also
        /// when all files are moved out of it.
        var folder: FileID?
    }

    private let expected = Mutex(Expected())
    private let paths: [String: String]

    /// - Parameter roots: the folders by their names, with the library's among them.
    init(_ roots: Roots) {
        defer { if let library = roots[RootName.library.text] { opened(library) } }
        paths = Dictionary(uniqueKeysWithValues: roots.names.compactMap { name in roots[name].map { (name, $0.path) } })
    }

    /// Notes that the library's folder was opened anew.
    func opened(_ library: Root) {
        let id = try? library.facts(of: []).id
        expected.withLock { $0.openLibrary = id }
    }

    /// Notes the identity of the library that the jobs are for.
    ///
    /// - Returns: true if it was not known, or another one.
    @discardableResult
    func expectLibrary(_ identity: String) -> Bool {
        guard let identity = FolderIdentity(identity) else { return false }
        return expected.withLock { expected in
            defer { expected.library = identity }
            return expected.library != identity
        }
    }

    /// Notes by what a root is recognised.
    func expectRoot(_ name: String, _ sample: FolderSample) {
        expected.withLock { $0.roots[name] = ExpectedRoot(sample: sample) }
    }

    /// Takes the roots as they are now for right.
    func expectRootsAsTheyAre() {
        for name in paths.keys where name != RootName.library.text {
            guard let root = open(name), let sample = try? FolderSample(of: root) else { continue }
            let folder = try? root.facts(of: []).id
            expected.withLock { $0.roots[name] = ExpectedRoot(sample: sample, folder: folder) }
        }
    }

    private func open(_ name: String) -> Root? { paths[name].flatMap { try? Root(path: $0) } }

    // MARK: - Looking

    /// What is wrong with the library's folder; nil if it is the library, or if it is not known which it should be.
    ///
    /// - Parameter isOpen: false if the folder is about to be opened anew.
    func libraryProblem(isOpen: Bool = true) -> Failure? {
        let (library, open) = expected.withLock { ($0.library, $0.openLibrary) }
        guard let identity = library else { return nil }
        let path = paths[RootName.library.text] ?? ""
        do throws(StorageError) {
            let root = try Root(path: path)
            let found = try root.identity(at: Array(LibraryLayout.identity.utf8))
            guard found == identity else { return Self.wrongLibrary(path, found, identity) }
            // What is open may be the mount point below: a worker can start before its storage is mounted.
            guard isOpen, let open, try root.facts(of: []).id != open else { return nil }
            return Failure(.storageUnavailable, "The library's folder \(path) was mounted after it was opened.")
        } catch {
            return Failure(.storageUnavailable, "The library's folder \(path) cannot be read: \(error.cause).")
        }
    }

    /// True if the folder is a library, but another one.
    var isOtherLibrary: Bool {
        guard let identity = expected.withLock({ $0.library }), let root = open(RootName.library.text),
            let found = try? root.identity(at: Array(LibraryLayout.identity.utf8))
        else { return false }
        return found != identity
    }

    private static func wrongLibrary(_ path: String, _ found: FolderIdentity?, _ expected: FolderIdentity) -> Failure {
        let cause = found.map { "is the library \($0)" } ?? "is no library"
        return Failure(
            .storageUnavailable,
            "The folder \(path) \(cause), and the jobs are for the library \(expected). Is the right storage mounted here? "
                + "Nothing is rendered until it is.")
    }

    /// What is wrong with a root; nil if it is right, unknown here, or nothing is known about it.
    func rootProblem(_ name: String) -> Failure? {
        guard let expected = expected.withLock({ $0.roots[name] }), let path = paths[name] else { return nil }
        do throws(StorageError) {
            let root = try Root(path: path)
            if let folder = expected.folder, try root.facts(of: []).id == folder { return nil }
            if try expected.sample.matches(root) { return nil }
            return Failure(
                .storageUnavailable,
                "The folder \(path) is not the root \(name) that the coordinator sees: none of the files by which it is "
                    + "known are there. Is the right storage mounted here? Nothing is rendered until it is. If it is, write a name "
                    + "of your choice into \(path)/.rawmill-root.")
        } catch {
            return Failure(.storageUnavailable, "The root \(name), \(path), cannot be read: \(error.cause).")
        }
    }

    /// The first thing that is wrong with any of the folders.
    func problem() -> Failure? {
        if let problem = libraryProblem(isOpen: false) { return problem }
        for name in paths.keys.sorted() where name != RootName.library.text {
            if let problem = rootProblem(name) { return problem }
        }
        return nil
    }
}
