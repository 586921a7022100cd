public import Database
internal import Digest
internal import Jobs

/// The coordinator's ledger and outbox, `LIBRARY/.rawmill/coordinator.sqlite`: every job that was accepted, what it
/// came from and how it ended. One thread uses it at a time; another process may read it meanwhile.
public final class LedgerStore {
    let connection: Connection
    /// Small tables that only grow, as they are read.
    var rootNames: [Int64: RootName] = [:]
    var rootNumbers: [RootName: Int64] = [:]
    var recipes: [Int64: Recipe] = [:]

    /// The file's name in the library's hidden folder.
    public static let fileName = "coordinator.sqlite"

    /// - Parameter mode: `.readOnly` beside a process that writes, `.readAtRest` where nothing may be touched.
    public init(path: String, mode: Connection.Mode = .readWrite) throws {
        connection = try Connection(path: path, mode: mode)
        if mode == .readWrite { try connection.migrate(LedgerSchema.migrations) } else { try checkVersion() }
    }

    private func checkVersion() throws {
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        guard version == LedgerSchema.migrations.count else {
            throw LedgerError.otherVersion(found: Int(version), known: LedgerSchema.migrations.count)
        }
    }
}

public enum LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    case otherVersion(found: Int, known: Int)
    /// The batch was cancelled: it takes no more jobs.
    case batchCancelled
    case unknownBatch
    case closed
    case unknownRoot(String)
    /// The database says something that cannot be.
    case damaged(String)

    public var description: String {
        switch self {
        case .otherVersion(let found, let known):
            found > known
                ? "the ledger was written by a newer Rawmill (schema \(found), this one knows \(known)); upgrade this one"
                : "the ledger is of an older Rawmill (schema \(found)); run `rawmill convert` once to bring it up to date"
        case .batchCancelled: "the batch was cancelled and takes no more jobs; submit the rest again"
        case .unknownBatch: "there is no such batch; `rawmill status` lists those there are"
        case .closed: "the ledger is closed"
        case .unknownRoot(let name): "the ledger knows no root \(name)"
        case .damaged(let what): "the ledger holds \(what); restore coordinator.sqlite from a backup"
        }
    }
}
