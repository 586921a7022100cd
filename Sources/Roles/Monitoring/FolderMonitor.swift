internal import Concurrency
internal import Manifests
internal import Storage
internal import Synchronization

/// Meets `storage` while the folders that a role was given are there.
///
/// A mount that is missing leaves an empty folder behind: one that had something in it and has nothing now is missing, and so is
/// a library without its identity, or with another one.
public final class FolderMonitor: Sendable {
    private let folders: [String: String]
    private let readiness: Readiness
    private let reader = FolderReader()
    /// What was found in each folder, when something was.
    private let known = Mutex<[String: FolderContent]>([:])

    /// - Parameters:
    ///   - folders: paths, by the names of the roots.
    ///   - readiness: meets `storage` as long as nobody has looked: a role opens its folders when it starts.
    public init(_ folders: [String: String], readiness: Readiness) {
        self.folders = folders
        self.readiness = readiness
    }

    /// Looks again and again, until the task is cancelled.
    public func watch(every interval: Duration = .seconds(15)) async {
        while !Task.isCancelled {
            await look()
            try? await Task.sleep(for: interval)
        }
    }

    /// Looks once.
    public func look() async {
        var problems: [String] = []
        for (name, path) in folders.sorted(by: { $0.key < $1.key }) {
            if let problem = problem(of: name, await reader.content(of: path)) {
                problems.append("\(name), \(path), \(problem)")
            }
        }
        if problems.isEmpty {
            readiness.setMet(.storage)
        } else {
            readiness.setUnmet(.storage, problems.joined(separator: "; ") + ". Is the storage mounted here?")
        }
    }

    private func problem(of name: String, _ found: Result<FolderContent, StorageError>) -> String? {
        switch found {
        case .failure(let error): return "cannot be read: \(error.cause)"
        case .success(let content):
            return known.withLock { known in
                if let former = known[name] {
                    if former.hasEntries, !content.hasEntries { return "is empty and was not" }
                    if former.identity != nil, former.identity != content.identity {
                        return "is not the library that it was"
                    }
                }
                known[name] = content
                return nil
            }
        }
    }
}

/// What tells a folder from another one at its path.
private struct FolderContent: Sendable {
    let hasEntries: Bool
    /// A library's; nil for another folder.
    let identity: FolderIdentity?
}

/// A mount that hangs holds up the thread that looks at it: it has one of its own.
private actor FolderReader {
    private let executor = ThreadExecutor(name: "folder-monitor")
    /// The actor keeps the executor as long as it lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func content(of path: String) -> Result<FolderContent, StorageError> {
        do throws(StorageError) {
            let root = try Root(path: path)
            return .success(
                FolderContent(
                    hasEntries: try root.hasEntries(),
                    identity: try root.identity(at: Array(LibraryLayout.identity.utf8))))
        } catch {
            return .failure(error)
        }
    }
}
