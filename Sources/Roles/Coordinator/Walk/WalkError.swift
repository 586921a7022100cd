internal import Database
internal import Glibc

/// An error that ends a walk. A single file or folder that fails does not; see `WalkProblem`.
public enum WalkError: Error, Hashable, Sendable, CustomStringConvertible {
    case scratch(folder: String, cause: String)

    init(_ error: any Error) {
        // Unsafe because another thread could change the environment, which Rawmill never does.
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
        self = .scratch(folder: folder, cause: (error as? DatabaseError)?.message ?? "\(error)")
    }

    /// The failure with its remedy.
    public var description: String {
        switch self {
        case .scratch(let folder, let cause):
            "cannot sort a large folder in \(folder): \(cause). Free some space there, or set TMPDIR to another "
                + "folder, and run the same command again."
        }
    }
}
