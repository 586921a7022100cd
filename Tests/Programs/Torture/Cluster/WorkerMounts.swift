import CommandLineTool
import Glibc
import Storage

/// The shared folders as one worker sees them: links that stand for mounts, and can show an empty folder as a mount point
/// does whose mount is missing.
struct WorkerMounts {
    enum Folder: String, CaseIterable { case archive, library }

    private let base: String
    private let folder: String

    /// - Parameter folder: the cluster's own.
    init(folder: String, worker: Int) {
        self.folder = folder
        base = "\(folder)/mounts/worker-\(worker)"
    }

    func path(_ folder: Folder) -> String { "\(base)/\(folder.rawValue)" }

    /// Shows a folder from here on, in one step.
    func show(_ mounted: Folder, _ target: String) throws {
        _ = try Root(path: base, creating: true)
        let next = path(mounted) + ".next"
        guard unsafe symlink(target, next) == 0, unsafe rename(next, path(mounted)) == 0 else {
            throw CommandFailure("\(path(mounted)) could not be switched to \(target).")
        }
    }

    /// Shows what is there without a mount: nothing.
    func hide(_ mounted: Folder) throws {
        let empty = Self.mountPoint(folder)
        _ = try Root(path: empty, creating: true)
        try show(mounted, empty)
    }

    /// The empty folder, which must stay empty.
    static func mountPoint(_ folder: String) -> String { "\(folder)/mounts/empty" }
}
