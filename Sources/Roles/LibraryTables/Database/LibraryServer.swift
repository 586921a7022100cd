internal import Database
internal import Manifests
public import PostgreSQL
internal import Storage

/// The PostgreSQL server of a library.
public enum LibraryServer {
    /// Places a new library's tables in a server's database and creates them. An existing library must have its tables
    /// there.
    ///
    /// - Throws: `LibraryError`.
    public static func choose(_ address: ServerAddress, for folder: String) throws {
        let root = try LibraryError.wrapping(folder) { try Root(library: folder, creating: true) }
        switch try LibraryLocation(root) {
        case .server(let known, _):
            guard known == address else {
                throw LibraryError.server(
                    folder: folder,
                    cause:
                        "its tables are in \(known), not in \(address). Remove `library.database`, or change the "
                        + "address in \(LibraryLayout.server) if the server has moved")
            }
        case .file:
            throw LibraryError.server(
                folder: folder,
                cause:
                    "its tables are in \(LibraryLayout.database). Remove `library.database`, or make a new library "
                    + "with it")
        case nil: try make(address, root)
        }
    }

    /// Creates the tables first, then the file that refers to them.
    private static func make(_ address: ServerAddress, _ root: Root) throws {
        try LibraryError.wrapping(root.path) {
            let location = try LibraryLocation.own(address, root)
            try location.open(.library, of: root.path, mode: .readWrite).migrate(LibrarySchema.schema)
            _ = try root.publish(Array((location.text ?? "").utf8), at: Array(LibraryLayout.server.utf8))
        }
    }

    /// The location of a library's tables on a server.
    public struct Place: Hashable, Sendable {
        /// The server and its database.
        public let address: ServerAddress
        /// The schema of the library's tables. All schemas of the library begin with this name.
        public let schema: String
    }

    /// Nil if the tables are in a file, or there is no library.
    ///
    /// - Throws: `LibraryError`.
    public static func place(of folder: String) throws -> Place? {
        guard case .server(let address, let schema)? = try LibraryLocation(library: folder) else { return nil }
        return Place(address: address, schema: schema)
    }

    /// Nil if the tables are in a file, or there is no library.
    ///
    /// - Throws: `LibraryError`.
    public static func address(of folder: String) throws -> ServerAddress? {
        try place(of: folder)?.address
    }
}
