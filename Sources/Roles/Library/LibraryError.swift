public import Database
public import Storage

/// Why a library cannot be used, in a sentence with the remedy.
public enum LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The folder has no `library.sqlite`.
    case notALibrary(folder: String)
    /// Another Rawmill writes to it.
    case busy(folder: String, process: Int32?)
    /// It was written by a newer Rawmill.
    case newer(folder: String, message: String)
    /// Opened for reading, but its tables are those of an older Rawmill.
    case older(folder: String)
    case database(DatabaseError)
    case storage(StorageError, folder: String)

    public enum Kind: Hashable, Sendable {
        case notFound, busy, newer, older, diskFull, damaged, unavailable
    }

    public var kind: Kind {
        switch self {
        case .notALibrary: .notFound
        case .busy: .busy
        case .newer: .newer
        case .older: .older
        case .database(let error):
            switch error.kind {
            case .diskFull: .diskFull
            case .busy: .busy
            case .corrupt: .damaged
            case .newerSchema: .newer
            case .readOnly, .cannotOpen, .other: .unavailable
            }
        case .storage(let error, _): error.kind == .diskFull ? .diskFull : .unavailable
        }
    }

    public var description: String {
        switch self {
        case .notALibrary(let folder):
            "\(folder) is not a library: it has no library.sqlite. Give --library the folder of a library; "
                + "`rawmill convert` makes one, `rawmill library rebuild` one from its photos."
        case .busy(let folder, let process):
            "another Rawmill\(process.map { " (process \($0))" } ?? "") is writing to the library \(folder). "
                + "Wait for it to end, or stop it."
        case .newer(let folder, let message): "the library \(folder) cannot be used: \(message)."
        case .older(let folder):
            "the library \(folder) was written by an older Rawmill. Run `rawmill convert` on it once; that brings "
                + "its tables up to date."
        case .database(let error) where error.kind == .corrupt:
            // Removing it would not do, as it does for other databases: what it says of the photos would be lost.
            "\(error.account) The file is damaged: restore it, or run `rawmill library rebuild`."
        case .database(let error): error.description
        case .storage(let error, let folder): "the library \(folder): \(error). \(Self.remedy(error.kind))"
        }
    }

    private static func remedy(_ kind: StorageError.Kind) -> String {
        kind == .diskFull
            ? "Free some space and run the same command again; it carries on."
            : "Check the folder, its disk and its permissions, and run the same command again."
    }

    /// Whatever was thrown while a library was used, as this error where it is one of storage or database.
    init?(_ error: any Error, folder: String) {
        switch error {
        case let error as LibraryError: self = error
        case let error as DatabaseError where error.kind == .newerSchema:
            self = .newer(folder: folder, message: error.message)
        case let error as DatabaseError: self = .database(error)
        case let error as StorageError where error.kind == .locked:
            self = .busy(folder: folder, process: error.holder)
        case let error as StorageError: self = .storage(error, folder: folder)
        default: return nil
        }
    }

    /// Runs `body`; what storage or database throw comes out with the library's name and the remedy.
    static func naming<Value>(_ folder: String, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch { throw LibraryError(error, folder: folder) ?? error }
    }
}
