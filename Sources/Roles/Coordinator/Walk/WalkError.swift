/// What ends a walk before its end. Whatever is wrong with single files and folders does not: see `WalkProblem`.
public enum WalkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There was no room to sort a large folder.
    case scratch(folder: String, cause: String)

    public var description: String {
        switch self {
        case .scratch(let folder, let cause):
            "a large folder is sorted in \(folder), which failed: \(cause). Make room there, or set TMPDIR to another "
                + "folder, and run the same command again."
        }
    }
}
