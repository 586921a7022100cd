import Library
import Telemetry

/// Says to people that a library's tables are brought up to date, before that begins and when it is done.
enum LibraryUpdateLog {
    /// Writes to this log from here on.
    static func start(_ log: Logger) {
        LibraryUpdate.observe { update in
            // Both lines are for people who wait, so that they are as important as each other.
            switch update {
            case .begins(let folder):
                let message = """
                    The tables of the library \(folder) are those of an earlier version. They are brought up to date, which \
                    takes some seconds for a million photos; to interrupt it does no harm.
                    """
                log.warning(.libraryUpdating, [.message: "\(message)"])
            case .ended(let folder, let time):
                let milliseconds = time / .milliseconds(1)
                log.warning(
                    .libraryUpdated,
                    [
                        .milliseconds: LogValue(Int64(milliseconds)),
                        .message: "The tables of the library \(folder) are up to date.",
                    ])
            }
        }
    }
}
