import CommandLineTool
import Glibc
import Storage

/// One worker's view of the shared folders: links that represent mounts, and can show an empty folder like an unmounted
/// mount point.
struct WorkerMounts {
    enum Folder: String, CaseIterable { case archive, library }

    private let base: String
    private let folder: String

    /// - Parameter folder: the cluster's folder.
    init(folder: String, worker: Int) {
        self.folder = folder
        base = "\(folder)/mounts/worker-\(worker)"
    }

    func path(_ folder: Folder) -> String { "\(base)/\(folder.rawValue)" }

    /// Shows a folder from now on, in one step.
    func show(_ mounted: Folder, _ target: String) throws {
        _ = try Root(path: base, creating: true)
        let next = path(mounted) + ".next"
        guard unsafe symlink(target, next) == 0, unsafe rename(next, path(mounted)) == 0 else {
            throw CommandFailure("\(path(mounted)) could not be switched to \(target).")
        }
    }

    /// Shows an unmounted, empty folder.
    func hide(_ mounted: Folder) throws {
        let empty = Self.mountPoint(folder)
        _ = try Root(path: empty, creating: true)
        try show(mounted, empty)
    }

    /// The empty folder, which must stay empty.
    static func mountPoint(_ folder: String) -> String { "\(folder)/mounts/empty" }
}
