public import Jobs

/// Why a worker ended or could not start.
public enum WorkerError: Error, Hashable, Sendable, CustomStringConvertible {
    case noThread
    case noLibrary
    /// The topics belong to another library than the one in this worker's folder.
    case otherLibrary(String, owner: String)
    /// No render process becomes warm, with the reason.
    case cannotRender(String)
    /// The storage is lost, and the settings request to end then. The jobs are kept.
    case storage(Failure)

    /// Without a full stop.
    public var description: String {
        switch self {
        case .noThread: "the system has no thread left: reduce the number of jobs (-j)"
        case .noLibrary: "the library's folder is missing among the roots"
        case .otherLibrary(let folder, let owner):
            "the cluster belongs to the library \(owner), but \(folder) is another one: set --root library=PATH to the "
                + "right folder, or --cluster-name to the name of this library's cluster"
        case .cannotRender(let reason): "cannot start a render process: \(reason)"
        case .storage(let failure): failure.message
        }
    }
}
