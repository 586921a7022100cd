import LibraryTables
import Telemetry

/// Tells users that a library's tables are being migrated, before and after.
enum LibraryUpdateLog {
    /// Writes to this log from now on.
    static func start(_ log: Logger) {
        LibraryUpdate.observe { update in
            // Both lines are for waiting users, so they have the same level.
            switch update {
            case .begins(let folder):
                let message = """
                    The tables of the library \(folder) are those of an earlier version. Migrating them takes some seconds \
                    for a million photos and may be interrupted.
                    """
                log.warning(.libraryUpdating, [.message: "\(message)"])
            case .ended(let folder, let time):
                let milliseconds = time / .milliseconds(1)
                log.warning(
                    .libraryUpdated,
                    [
                        .milliseconds: LogValue(Int64(milliseconds)),
                        .message: "The tables of the library \(folder) are migrated.",
                    ])
            }
        }
    }
}
