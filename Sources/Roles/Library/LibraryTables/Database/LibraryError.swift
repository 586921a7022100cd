public import Database
public import MetadataHost
public import Storage

/// Why a library cannot be used, in a sentence that includes the remedy.
public enum LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder has no `library.sqlite`.
    case notALibrary(folder: String)
    /// Another Rawmill is writing to the library.
    case busy(folder: String, holder: LockHolder?)
    /// A newer Rawmill wrote the library.
    case newer(folder: String, message: String)
    /// The library was opened for reading, but its tables are those of an older Rawmill.
    case older(folder: String)
    /// What says where the library's tables are does not fit. The cause ends with the remedy, without a full stop.
    case server(folder: String, cause: String)
    /// A backup cannot be made or put back. The cause ends with the remedy, without a full stop.
    case backup(folder: String, cause: String)
    /// The database failed.
    case database(DatabaseError)
    /// The library's folder or one of its files failed.
    case storage(StorageError, folder: String)
    /// No process could be started that reads photos' metadata.
    case metadata(MetadataReaderError)

    /// The tables have the change, and `photos/` could not follow them. The change must not be made once more.
    indirect case notShown(LibraryError)

    /// What a program decides by.
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

    /// True where the same may succeed later without a change of what was asked for: a disk is full, or a server is out of reach.
    public var isPassing: Bool {
        if case .notShown = self { return false }
        guard case .database(let error) = self, error.isServers else { return kind == .diskFull }
        return switch error.kind {
        case .diskFull, .unreachable, .exhausted, .conflict: true
        case .busy, .corrupt, .readOnly, .cannotOpen, .diskFailed, .newerSchema, .refused, .notTrusted, .other: false
        }
    }

    /// What happened and what to do, for people.
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
                + "cataloguer; that brings its tables up to date. Where one has just begun, wait for it."
        case .database(let error) where error.kind == .corrupt && error.database.hasSuffix("campaigns.sqlite"):
            "\(error.account) The file is damaged, and only plans of campaigns are in it: remove it, and plan them again."
        case .database(let error) where error.isServers: error.description
        case .database(let error) where error.kind == .corrupt:
            // Other databases may be removed and made again. This one may not: it holds what is known of the photos.
            "\(error.account) The file is damaged: see whether its disk is failing (dmesg), then restore the file, or run "
                + "`rawmill library rebuild`."
        case .database(let error): error.description
        case .storage(let error, let folder): "the library \(folder): \(error). \(error.remedy)"
        case .metadata(let error):
            "no process could be started that reads the photos' metadata: \(error)."
                + (error.isProgramMissing
                    ? "" : " Look at this machine's limits and memory, and run the same command again.")
        case .notShown(let cause):
            "the library has the change, but photos/ could not follow: \(cause.account) Do not run the command once more: when "
                + "that is put right, run `rawmill library verify --repair`, or anything that writes to the library."
        }
    }

    /// What happened, without the remedy, where a role goes on by itself.
    public var account: String {
        switch self {
        case .database(let error): error.account
        case .storage(let error, let folder): "the library \(folder): \(error)."
        default: description
        }
    }

    /// The library's error for one of its database or its storage; nil for any other error.
    init?(_ error: any Error, folder: String) {
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

    /// Runs `body`, and turns errors of the database and of storage into a `LibraryError` that names the folder.
    /// Other errors pass unchanged.
    static func wrapping<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw LibraryError(error, folder: folder) ?? error }
    }
}
