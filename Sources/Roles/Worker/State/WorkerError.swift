public import Jobs

/// Why a worker ended or could not start.
public enum WorkerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system has no thread left.
    case noThread
    /// The library's folder is not among the roots.
    case noLibrary
    /// The topics belong to another library than the one in this worker's folder.
    case otherLibrary(String, owner: String)
    /// No render process gets warm, with the reason.
    case cannotRender(String)
    /// The storage is gone, and the settings say to end then. The jobs are kept.
    case storage(Failure)

    /// For people, without a full stop.
    public var description: String {
        switch self {
        case .noThread: "the system has no thread left: run fewer jobs at once (-j)"
        case .noLibrary: "the library's folder was not given"
        case .otherLibrary(let folder, let owner):
            "the cluster works for the library \(owner), and \(folder) is another one: give --root library=PATH the right "
                + "folder, or --cluster-name the name of this library's cluster"
        case .cannotRender(let reason): "no render process could be started: \(reason)"
        case .storage(let failure): failure.message
        }
    }
}
