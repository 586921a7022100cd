package import Database
internal import Manifests
package import PostgreSQL
package import Storage

/// The location of a library's tables: files of its folder, or a PostgreSQL database.
package enum LibraryLocation: Hashable {
    case file
    /// - Parameter schema: the library's schema; the schemas of other parts begin with its name.
    case server(ServerAddress, schema: String)

    /// Parts of a library with separate tables.
    package enum Part: String {
        case library = ""
        /// The result of a rebuild, until it replaces the library.
        case replacement = "_rebuild"
        case campaigns = "_campaigns"

        package var file: String {
            switch self {
            case .library: LibraryLayout.database
            case .replacement: "\(LibraryLayout.database).rebuild"
            case .campaigns: "\(LibraryLayout.hidden)/campaigns.sqlite"
            }
        }
    }

    package init?(library folder: String) throws {
        guard let root = try? Root(path: folder) else { return nil }
        try self.init(root)
    }

    package init?(_ root: Root) throws {
        let path = Array(LibraryLayout.server.utf8)
        let text = try LibraryError.wrapping(root.path) {
            try root.factsIfPresent(of: path) == nil ? nil : try root.contents(of: path, limitBytes: 65_536)
        }
        if let text {
            self = try Self.server(String(decoding: text, as: UTF8.self), root.path)
        } else if try LibraryError.wrapping(
            root.path, { try root.factsIfPresent(of: Array(LibraryLayout.database.utf8)) }) != nil
        {
            self = .file
        } else {
            return nil
        }
    }

    // MARK: The file that names the server

    private static func server(_ text: String, _ folder: String) throws -> LibraryLocation {
        let lines = text.split(separator: "\n")
        guard lines.count == 2, isSchema(lines[1]) else {
            throw LibraryError.server(
                folder: folder,
                cause: "its file \(LibraryLayout.server) is damaged. Write into it the server's address, and "
                    + "on a second line the schema, rawmill_ and the first 16 digits of \(LibraryLayout.identity)")
        }
        do { return .server(try ServerAddress(String(lines[0])), schema: String(lines[1])) } catch {
            throw LibraryError.server(folder: folder, cause: "its file \(LibraryLayout.server): \(error)")
        }
    }

    private static func isSchema(_ text: Substring) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
    }

    /// The contents of the file that names the server; nil for tables in the folder.
    package var text: String? {
        switch self {
        case .file: nil
        case .server(let address, let schema): "\(address.text)\n\(schema)\n"
        }
    }

    // MARK: Connections

    /// Shows other machines that this process writes; nil if a lock in the folder does.
    package func lock(isShared: Bool = false, isGuest: Bool = false) throws(DatabaseError) -> ServerLock? {
        guard case .server(let address, let schema) = self else { return nil }
        return try ServerLock(address, name: schema, isShared: isShared, isGuest: isGuest)
    }

    package func open(
        _ part: Part, of folder: String, mode: ConnectionMode, lock: ServerLock? = nil
    ) throws -> Connection {
        switch self {
        case .file:
            // A large log, so that many batches write each page of hashes into the file once.
            try Connection(
                path: "\(folder)/\(part.file)", mode: mode, cacheBytes: part == .library ? 64 << 20 : nil,
                logBytes: part == .library ? 256 << 20 : nil)
        case .server(let address, let schema):
            try Connection(server: address, schema: schema + part.rawValue, mode: mode, lock: lock)
        }
    }

    // MARK: Replacing

    /// Files that SQLite keeps beside a database.
    package static let companions = ["-wal", "-shm", "-journal"]

    package func removeReplacement(_ root: Root) throws {
        switch self {
        case .file:
            for ending in [""] + Self.companions { try root.remove(Array((Part.replacement.file + ending).utf8)) }
        case .server(let address, let schema):
            let connection = try Connection(server: address, schema: schema)
            try connection.script("DROP SCHEMA IF EXISTS \(schema)\(Part.replacement.rawValue) CASCADE")
        }
    }

    /// Removes an unfinished replacement's files while the lock is held, because a full disk needs the space. On a
    /// server, the next rebuild removes it.
    package static func abandonReplacement(_ root: Root) {
        for ending in [""] + companions { _ = try? root.remove(Array((Part.replacement.file + ending).utf8)) }
    }

    /// Replaces the library with the replacement in one step: a process that dies leaves the old or the new tables.
    ///
    /// - Parameters:
    ///   - connection: to the replacement.
    ///   - keepsOld: renames the old tables to `keptPlace` in the same step.
    /// - Returns: true if there were old tables and they are kept.
    @discardableResult
    package func replaceLibrary(of folder: String, _ connection: Connection, keepsOld: Bool = false) throws -> Bool {
        switch self {
        case .file:
            try connection.becomeOneFile()
            let root = try Root(path: folder)
            let isKept = try keepsOld && keepFile(root)
            // SQLite would apply a leftover log of the old database to the new one.
            for ending in Self.companions { try root.remove(Array((LibraryLayout.database + ending).utf8)) }
            try root.move(Array(Part.replacement.file.utf8), to: Array(LibraryLayout.database.utf8))
            return isKept
        case .server(let address, let schema):
            let isKept = try keepsOld && hasTables(address, schema)
            try connection.transaction {
                try connection.script(
                    """
                    \(isKept ? Self.keepingSchema(schema) : "DROP SCHEMA IF EXISTS \(schema) CASCADE;")
                    ALTER SCHEMA \(schema)\(Part.replacement.rawValue) RENAME TO \(schema);
                    """)
            }
            return isKept
        }
    }

    /// Moves the old library's log into its file, as far as readers allow.
    package func checkpointLibrary(of folder: String) throws {
        guard self == .file else { return }
        try Connection(path: "\(folder)/\(LibraryLayout.database)").emptyLog()
    }
}
