internal import CSQLite
internal import Glibc
internal import Storage

extension DatabaseError {
    /// - Parameters:
    ///   - code: SQLite's extended result code.
    ///   - systemError: `errno` behind an I/O error; 0 for none.
    init(code: Int32, systemError: Int32 = 0, message: String, database: String, statement: String?) {
        let kind = Self.kind(code, systemError)
        if kind == .diskFailed, let limit = FileSizeLimit.bytes {
            // SQLite does not report the reason.
            let message = "\(message), because this process cannot write files larger than \(limit) bytes (ulimit -f)"
            self.init(kind: kind, message: message, database: database, statement: nil)
        } else if kind == .diskFull, code & 0xFF == SQLITE_IOERR {
            // SQLite's message would be that of a failing disk.
            let message = systemError == EDQUOT ? "the quota of its disk is used up" : "its disk is full"
            self.init(kind: kind, message: message, database: database, statement: nil)
        } else if kind == .readOnly || kind == .cannotOpen, let obstacle = UnwritableDatabase.obstacle(to: database) {
            self.init(kind: kind, message: obstacle, database: database, statement: nil)
        } else {
            self.init(kind: kind, message: message, database: database, statement: statement)
        }
    }

    private static func kind(_ code: Int32, _ systemError: Int32) -> Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .diskFull
        // From the log's index, which readers also create, and from quotas and network file systems.
        case SQLITE_IOERR where systemError == ENOSPC || systemError == EDQUOT: .diskFull
        case SQLITE_IOERR, SQLITE_PROTOCOL: .diskFailed
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_READONLY: .readOnly
        case SQLITE_CANTOPEN: .cannotOpen
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_ERROR, SQLITE_INTERNAL, SQLITE_MISUSE, SQLITE_RANGE,
            SQLITE_TOOBIG, SQLITE_SCHEMA, SQLITE_AUTH, SQLITE_FORMAT, SQLITE_NOTFOUND:
            .refused
        default: .other
        }
    }
}
