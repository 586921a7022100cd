public import Database
public import MetadataHost
public import Storage

/// Why a library cannot be used, with the remedy.
public enum LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder has no `library.sqlite`.
    case notALibrary(folder: String)
    /// Another Rawmill is writing to the library.
    case busy(folder: String, holder: LockHolder?)
    /// A newer Rawmill wrote the library.
    case newer(folder: String, message: String)
    /// An older Rawmill wrote the tables, and the library is open for reading only.
    case older(folder: String)
    /// The record of the tables' location is wrong. The cause ends with the remedy, without a full stop.
    case server(folder: String, cause: String)
    /// A backup cannot be made or restored. The cause ends with the remedy, without a full stop.
    case backup(folder: String, cause: String)
    /// The database failed.
    case database(DatabaseError)
    /// The library's folder or one of its files failed.
    case storage(StorageError, folder: String)
    /// The process that reads photos' metadata cannot be started.
    case metadata(MetadataReaderError)

    /// The tables have the change, but `photos/` was not updated. The change must not be repeated.
    indirect case notShown(LibraryError)

    /// Kinds of errors that callers distinguish.
    public enum Kind: Hashable, Sendable {
        case notFound, busy, newer, older, diskFull, damaged, unavailable
    }

    /// The kind of the error.
    public var kind: Kind {
        switch self {
        case .notALibrary, .backup: .notFound
        case .busy: .busy
        case .newer: .newer
        case .older: .older
        case .database(let error):
            switch error.kind {
            case .diskFull: .diskFull
            case .busy: .busy
            case .corrupt, .refused: .damaged
            case .newerSchema: .newer
            case .readOnly, .cannotOpen, .diskFailed, .unreachable, .exhausted, .notTrusted, .conflict, .other:
                .unavailable
            }
        case .storage(let error, _): error.kind == .diskFull ? .diskFull : .unavailable
        case .metadata: .unavailable
        case .server: .damaged
        case .notShown(let cause): cause.kind
        }
    }

    /// Whether the same request may succeed later: the disk is full, or the server is unreachable.
    public var isPassing: Bool {
        if case .notShown = self { return false }
        guard case .database(let error) = self, error.isServers else { return kind == .diskFull }
        return switch error.kind {
        case .diskFull, .unreachable, .exhausted, .conflict: true
        case .busy, .corrupt, .readOnly, .cannotOpen, .diskFailed, .newerSchema, .refused, .notTrusted, .other: false
        }
    }

    /// The cause and the remedy.
    public var description: String {
        switch self {
        case .notALibrary(let folder):
            "\(folder) is not a library: it has neither library.sqlite nor library.database. Give --library the folder of a library; "
                + "`rawmill convert` makes one, `rawmill serve --new` an empty one, and `rawmill library rebuild` one from its photos."
        case .busy(let folder, let holder):
            "another Rawmill\(holder.map { " (\($0))" } ?? "") is writing to the library \(folder). "
                + "Wait for it to end, or stop it."
        case .backup(let folder, let cause): "the backup \(folder): \(cause)."
        case .server(let folder, let cause): "the library \(folder): \(cause)."
        case .newer(let folder, let message): "the library \(folder) cannot be used: \(message)."
        case .older(let folder):
            "the library \(folder) was written by an older Rawmill. Run `rawmill convert` on it once, or start its "
                + "cataloguer; this upgrades its tables. If one has just started, wait until it is done."
        case .database(let error) where error.kind == .corrupt && error.database.hasSuffix("campaigns.sqlite"):
            "\(error.account) The file is damaged. It contains only campaign plans: delete it and plan "
                + "the campaigns again."
        case .database(let error) where error.isServers: error.description
        case .database(let error) where error.kind == .corrupt:
            // The library's database holds facts about the photos, so unlike others it cannot be deleted and made
            // again.
            "\(error.account) The file is damaged. Check the disk (dmesg), then restore the file or run "
                + "`rawmill library rebuild`."
        case .database(let error): error.description
        case .storage(let error, let folder): "the library \(folder): \(error). \(error.remedy)"
        case .metadata(let error):
            "the process that reads the photos' metadata could not be started: \(error)."
                + (error.isProgramMissing
                    ? "" : " Check this machine's limits and free memory, then run the command again.")
        case .notShown(let cause):
            "the change is stored in the library, but photos/ could not be updated: \(cause.account) Fix this, then run "
                + "`rawmill library verify --repair`; do not repeat the command."
        }
    }

    /// The cause without the remedy, for a role that continues automatically.
    public var account: String {
        switch self {
        case .database(let error): error.account
        case .storage(let error, let folder): "the library \(folder): \(error)."
        default: description
        }
    }

    /// Nil for errors other than those of the database or the storage.
    package init?(_ error: any Error, folder: String) {
        switch error {
        case let error as LibraryError: self = error
        case let error as DatabaseError where error.kind == .newerSchema:
            self = .newer(folder: folder, message: error.message)
        case let error as DatabaseError where error.isServers && error.kind == .busy:
            self = .busy(folder: folder, holder: nil)
        case let error as DatabaseError: self = .database(error)
        case let error as StorageError where error.kind == .locked:
            self = .busy(folder: folder, holder: error.holder)
        case let error as StorageError: self = .storage(error, folder: folder)
        case let error as MetadataReaderError: self = .metadata(error)
        default: return nil
        }
    }

    /// Runs `body`, and turns errors of the database and the storage into a `LibraryError` that names the folder.
    package static func wrapping<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw LibraryError(error, folder: folder) ?? error }
    }
}
