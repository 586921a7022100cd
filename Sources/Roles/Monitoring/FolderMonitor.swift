internal import Clock
internal import Concurrency
internal import Manifests
internal import Storage
internal import Synchronization

/// Meets `storage` while the folders of a role are present.
///
/// A missing mount leaves an empty folder behind. A folder that became empty therefore counts as missing, and so does a
/// library that lost or changed its identity.
public final class FolderMonitor: Sendable {
    private let folders: [String: String]
    private let readiness: Readiness
    private let reader = FolderReader()
    /// The last content of each folder that had any.
    private let known = Mutex<[String: FolderContent]>([:])

    /// - Parameter folders: paths, by the names of the roots.
    public init(_ folders: [String: String], readiness: Readiness) {
        self.folders = folders
        self.readiness = readiness
    }

    /// Checks periodically until the task is cancelled.
    public func watch(every interval: Duration = .seconds(15)) async {
        await Periodic.run(every: interval) {
            await look()
        }
    }

    /// Checks once.
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
                    if former.hasEntries, !content.hasEntries { return "is empty, but was not before" }
                    if former.identity != nil, former.identity != content.identity {
                        return "contains a different library than before"
                    }
                }
                known[name] = content
                return nil
            }
        }
    }
}

private struct FolderContent: Sendable {
    let hasEntries: Bool
    let identity: FolderIdentity?
}

/// Has its own thread, because a hanging mount blocks it.
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
