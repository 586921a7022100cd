internal import CSQLite
internal import Glibc

/// A database in a folder where this process cannot create files: on a read-only file system, or another user's. SQLite
/// reads a database with a write-ahead log through an index file beside it, `-shm`, and refuses to read if it cannot
/// create a missing one.
enum UnwritableDatabase {
    /// True if SQLite cannot read the database in place.
    static func isNeeded(for path: String) -> Bool {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        guard unsafe access(folder, W_OK) != 0, unsafe access(path, R_OK) == 0 else { return false }
        // While another process writes it, its index exists and suffices if this process can read it.
        if isOnReadOnlyFileSystem(path) { return true }
        return unsafe access(path + "-shm", R_OK) != 0
    }

    /// Why this process cannot write the database; nil if unknown.
    static func obstacle(to path: String) -> String? {
        // A temporary database has no path.
        guard path.contains("/") else { return nil }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var (file, place) = (stat(), stat())
        guard unsafe stat(folder, &place) == 0 else { return "its folder does not exist or cannot be entered" }
        if isOnReadOnlyFileSystem(folder) { return "its file system is mounted read-only" }
        let exists = unsafe stat(path, &file) == 0
        if exists, file.st_mode & S_IFMT != S_IFREG { return "it is not a regular file" }
        let user = geteuid()
        for (right, word) in [(R_OK, "read"), (W_OK, "write")] where exists {
            guard unsafe access(path, right) == 0 else {
                return "user \(user) cannot \(word) it; it belongs to user \(file.st_uid)"
            }
        }
        if unsafe access(folder, W_OK) != 0 {
            return "user \(user) cannot create files in its folder, which belongs to user \(place.st_uid)"
        }
        return nil
    }

    private static func isOnReadOnlyFileSystem(_ path: String) -> Bool {
        var facts = statvfs()
        return unsafe statvfs(path, &facts) == 0 && facts.f_flag & UInt(ST_RDONLY) != 0
    }

    /// True if the log holds further transactions, or the journal changes to roll back.
    static func isUnsettled(_ path: String) -> Bool { companions.contains { hasContent(path + $0) } }

    private static let companions = ["-wal", "-journal"]

    static func hasContent(_ path: String) -> Bool {
        var facts = stat()
        return unsafe stat(path, &facts) == 0 && facts.st_size > 0
    }

    /// Opens a copy of the database, its log and its journal. The copy is already unlinked and goes with the
    /// connection.
    static func copied(_ path: String) throws(DatabaseError) -> DatabaseHandle {
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/var/tmp"
        var template = Array("\(folder)/rawmill-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw refusal(path) }
        let copyFolder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let copy = copyFolder + "/copy.sqlite"
        defer {
            for ending in ["", "-wal", "-shm", "-journal"] { unsafe unlink(copy + ending) }
            unsafe rmdir(copyFolder)
        }
        for ending in [""] + companions where ending.isEmpty || hasContent(path + ending) {
            guard copyFile(path + ending, to: copy + ending) else { throw refusal(path) }
        }
        let handle = try DatabaseHandle(path: path, name: copy, flags: SQLITE_OPEN_READWRITE)
        // Merges the log, so that no file is opened by name again. Later reads change nothing.
        try handle.execute("PRAGMA journal_mode=DELETE; PRAGMA query_only=ON; SELECT count(*) FROM sqlite_master;")
        return handle
    }

    private static func refusal(_ path: String) -> DatabaseError {
        DatabaseError(
            code: SQLITE_CANTOPEN,
            message: "its folder cannot be written, and it cannot be copied to $TMPDIR",
            database: path, statement: nil)
    }

    private static func copyFile(_ path: String, to target: String) -> Bool {
        let source = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return false }
        defer { close(source) }
        let copy = unsafe open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else { return false }
        defer { close(copy) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
        defer { unsafe buffer.deallocate() }
        while true {
            let count = unsafe read(source, buffer.baseAddress, buffer.count)
            if count <= 0 { return count == 0 }
            var done = 0
            while done < count {
                let written = unsafe write(copy, buffer.baseAddress.map { unsafe $0 + done }, count - done)
                guard written > 0 else { return false }
                done += written
            }
        }
    }
}
