internal import Database
internal import Manifests
package import PostgreSQL
package import Storage

// The places that a migration moves tables between.

extension LibraryLocation {
    package var isFile: Bool { self == .file }

    /// The place of the library's tables. The schema on a server is named after the library's identity.
    ///
    /// - Parameter address: nil for the library's folder.
    package static func own(_ address: ServerAddress?, _ root: Root) throws -> LibraryLocation {
        guard let address else { return .file }
        let identity = try root.makeIdentity(at: Array(LibraryLayout.identity.utf8))
        return .server(address, schema: "rawmill_\(identity.description.prefix(16))")
    }

    /// A copied folder has the same identity, and the original may have its tables there.
    package func refuseForeignTables(of folder: String) throws {
        guard case .server(let address, let schema) = self else { return }
        guard try open(.library, of: folder, mode: .readOnly).schemaVersion > 0 else { return }
        throw LibraryError.server(
            folder: folder,
            cause:
                "\(address) has tables of this library, or of a folder that this is a copy of, in the schema \(schema). If "
                + "nothing needs them, drop the schema and run the same command again")
    }

    package func hasCampaigns(_ root: Root) throws -> Bool {
        switch self {
        case .file: try root.factsIfPresent(of: Array(Part.campaigns.file.utf8)) != nil
        case .server: try open(.campaigns, of: root.path, mode: .readOnly).schemaVersion > 0
        }
    }

    /// Removes campaigns left by an interrupted migration or an earlier use of this place.
    package func removeCampaigns(_ root: Root) throws {
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

    /// The place of the old tables, for messages.
    package var keptPlace: String {
        switch self {
        case .file: "\(LibraryLayout.database)\(Self.keptFileEnding) in its folder"
        case .server(let address, let schema): "the schema \(schema)\(Self.keptEnding) of \(address)"
        }
    }

    /// Renames tables that are no longer the library's, replacing earlier ones of that name. Returns false if there are
    /// none.
    @discardableResult
    package func putAside(_ root: Root, _ part: Part = .library) throws -> Bool {
        switch self {
        case .file:
            guard try root.factsIfPresent(of: Array(part.file.utf8)) != nil else { return false }
            // Fails for a damaged file, which keeps its log then.
            try? Connection(path: "\(root.path)/\(part.file)").emptyLog()
            // Renames the file last, so that its log always finds it.
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

    /// Links the library's file under a second name, so that another file can replace the first. Returns false without
    /// a file.
    func keepFile(_ root: Root) throws -> Bool {
        let path = Part.library.file
        guard try root.factsIfPresent(of: Array(path.utf8)) != nil else { return false }
        // Fails for a damaged file, which keeps its log then.
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

    static func keepingSchema(_ schema: String) -> String {
        """
        DROP SCHEMA IF EXISTS \(schema)\(keptEnding) CASCADE;
        ALTER SCHEMA \(schema) RENAME TO \(schema)\(keptEnding);
        """
    }
}
