internal import Database
internal import Manifests
internal import PostgreSQL
internal import Storage

// What a migration does with the places of tables.

extension LibraryLocation {
    var isFile: Bool { self == .file }

    /// Where the tables of the library are, or would be, on a server, whose schema is named after the library's identity.
    ///
    /// - Parameter address: nil for its folder.
    static func own(_ address: ServerAddress?, _ root: Root) throws -> LibraryLocation {
        guard let address else { return .file }
        let identity = try root.makeIdentity(at: Array(LibraryLayout.identity.utf8))
        return .server(address, schema: "rawmill_\(identity.description.prefix(16))")
    }

    /// A copy of the folder has the same identity, and its original may have its tables there.
    func refuseForeignTables(of folder: String) throws {
        guard case .server(let address, let schema) = self else { return }
        guard try open(.library, of: folder, mode: .readOnly).schemaVersion > 0 else { return }
        throw LibraryError.server(
            folder: folder,
            cause:
                "\(address) has tables of this library, or of a folder that this is a copy of, in the schema \(schema). If "
                + "nothing needs them, drop the schema and run the same command again")
    }

    /// True if there are campaigns.
    func hasCampaigns(_ root: Root) throws -> Bool {
        switch self {
        case .file: try root.factsIfPresent(of: Array(Part.campaigns.file.utf8)) != nil
        case .server: try open(.campaigns, of: root.path, mode: .readOnly).schemaVersion > 0
        }
    }

    /// Removes campaigns that an interrupted migration, or an earlier life here, left.
    func removeCampaigns(_ root: Root) throws {
        switch self {
        case .file:
            for ending in [""] + Self.companions { try root.remove(Array((Part.campaigns.file + ending).utf8)) }
        case .server(let address, let schema):
            try Connection(server: address, schema: schema)
                .script("DROP SCHEMA IF EXISTS \(schema)\(Part.campaigns.rawValue) CASCADE")
        }
    }

    private static let keptFileEnding = ".old"
    private static let keptEnding = "_old"

    /// Where tables are kept that were the library's, for people.
    var keptPlace: String {
        switch self {
        case .file: "\(LibraryLayout.database)\(Self.keptFileEnding) in its folder"
        case .server(let address, let schema): "the schema \(schema)\(Self.keptEnding) of \(address)"
        }
    }

    /// Gives tables that are no longer the library's another name, over what had that name.
    ///
    /// - Returns: false if there are none.
    @discardableResult
    func putAside(_ root: Root, _ part: Part = .library) throws -> Bool {
        switch self {
        case .file:
            guard try root.factsIfPresent(of: Array(part.file.utf8)) != nil else { return false }
            // A damaged file keeps its log.
            try? Connection(path: "\(root.path)/\(part.file)").emptyLog()
            // The file goes last: until then the log belongs to a file that is there.
            for ending in Self.companions + [""] {
                let kept = Array((part.file + Self.keptFileEnding + ending).utf8)
                let path = Array((part.file + ending).utf8)
                if try ending != "-shm" && root.factsIfPresent(of: path) != nil {
                    try root.move(path, to: kept)
                } else {
                    try root.remove(path)
                    try root.remove(kept)
                }
            }
        case .server(let address, let library):
            let schema = library + part.rawValue
            guard try hasTables(address, schema) else { return false }
            let writer = try Connection(server: address, schema: schema)
            try writer.transaction { try writer.script(Self.keepingSchema(schema)) }
        }
        return true
    }

    /// Gives the library's file a second name, over what had that name, so that another file can take the first one.
    ///
    /// - Returns: false if there is none.
    func keepFile(_ root: Root) throws -> Bool {
        let path = Part.library.file
        guard try root.factsIfPresent(of: Array(path.utf8)) != nil else { return false }
        // A damaged file keeps its log.
        try? Connection(path: "\(root.path)/\(path)").emptyLog()
        for ending in Self.companions + [""] {
            let kept = Array((path + Self.keptFileEnding + ending).utf8)
            let file = Array((path + ending).utf8)
            try root.remove(kept)
            if try ending != "-shm" && root.factsIfPresent(of: file) != nil { _ = try root.link(file, at: kept) }
        }
        return true
    }

    func hasTables(_ address: ServerAddress, _ schema: String) throws -> Bool {
        try Connection(server: address, schema: schema, mode: .readOnly).schemaVersion > 0
    }

    /// Gives a schema another name, over what had that name.
    static func keepingSchema(_ schema: String) -> String {
        """
        DROP SCHEMA IF EXISTS \(schema)\(keptEnding) CASCADE;
        ALTER SCHEMA \(schema) RENAME TO \(schema)\(keptEnding);
        """
    }
}
