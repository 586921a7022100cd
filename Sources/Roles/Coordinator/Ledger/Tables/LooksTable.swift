internal import Database
public import Digest
public import Jobs

/// The table `looks`: the versions of users' looks, by name and content.
public struct LooksTable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Stores a look and returns it with its version. The same content keeps its version; new content under the same
    /// name gets the next one.
    ///
    /// - Parameter version: the highest version with that name that ships with Rawmill; 0 for none.
    public func pin(name: String, digest: SHA256Value, above version: UInt32 = 0) throws -> LookReference {
        try connection.transaction {
            let look = try reference(name: name, digest: digest, above: version)
            try connection.run(
                "INSERT INTO looks VALUES (?, ?, ?) ON CONFLICT DO NOTHING", name, look.version, digest.bytes)
            return look
        }
    }

    /// Users' looks with a name, oldest first.
    public func versions(of name: String) throws -> [LookReference] {
        try all(where: "name = ?", name)
    }

    /// All users' looks, by name and version.
    public func all() throws -> [LookReference] { try all(where: "? = ''", "") }

    private func all(where condition: String, _ value: String) throws -> [LookReference] {
        let found: [LookReference?] = try connection.all(
            "SELECT name, version, digest FROM looks WHERE \(condition) ORDER BY name, version", value
        ) { row in
            SHA256Value(bytes: row.blob(2)).flatMap {
                LookReference(name: row.text(0), version: UInt32(clamping: row.integer(1)), digest: $0)
            }
        }
        return found.compactMap { $0 }
    }

    /// The result of `pin`, without writing.
    public func reference(name: String, digest: SHA256Value, above version: UInt32 = 0) throws -> LookReference {
        let known = try connection.first(
            "SELECT version FROM looks WHERE name = ? AND digest = ?", name, digest.bytes
        ) { $0.integer(0) }
        let highest = try connection.first("SELECT max(version) FROM looks WHERE name = ?", name) { $0.integer(0) }
        let next = max(UInt32(clamping: highest ?? 0), version).addingReportingOverflow(1)
        let pinned = known.flatMap { UInt32(exactly: $0) } ?? next.partialValue
        // The version after the last one overflows to 0, which is invalid.
        guard let look = LookReference(name: name, version: pinned, digest: digest) else {
            throw LedgerError.damaged("a look called \(name)")
        }
        return look
    }
}
