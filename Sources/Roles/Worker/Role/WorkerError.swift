public import Jobs

/// Why a worker ended, or could not begin.
public enum WorkerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The system gave no thread.
    case noThread
    /// The library's folder is not among the roots.
    case noLibrary
    /// No render process could be started.
    case cannotRender(String)
    /// Its storage is gone, and it was told to end then. The jobs are kept.
    case storage(Failure)

    public var description: String {
        switch self {
        case .noThread: "the system has no thread left: run fewer jobs at once (-j)"
        case .noLibrary: "the library's folder was not given"
        case .cannotRender(let why): "no render process could be started: \(why)"
        case .storage(let failure): failure.message
        }
    }
}
