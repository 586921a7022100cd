internal import Database
public import Digest
public import Jobs

/// The table `looks`: the version of each look that users brought, by name and content.
public struct LooksTable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Keeps a look and returns it with its version. The same content keeps its version; new content under the same name
    /// gets the next one. So a user's `.cube` that changes under the same name becomes another look.
    ///
    /// - Parameter version: the highest version of that name that ships with Rawmill; 0 for none.
    public func pin(name: String, digest: SHA256Value, above version: UInt32 = 0) throws -> LookReference {
        try connection.transaction {
            let look = try reference(name: name, digest: digest, above: version)
            try connection.run("INSERT OR IGNORE INTO looks VALUES (?, ?, ?)", name, look.version, digest.bytes)
            return look
        }
    }

    /// What `pin` would return. Writes nothing.
    public func reference(name: String, digest: SHA256Value, above version: UInt32 = 0) throws -> LookReference {
        let known = try connection.first(
            "SELECT version FROM looks WHERE name = ? AND digest = ?", name, digest.bytes
        ) { $0.integer(0) }
        let highest = try connection.first("SELECT max(version) FROM looks WHERE name = ?", name) { $0.integer(0) }
        let next = max(UInt32(clamping: highest ?? 0), version).addingReportingOverflow(1)
        let pinned = known.flatMap { UInt32(exactly: $0) } ?? next.partialValue
        // The version after the last one overflows to 0, which no look may have.
        guard let look = LookReference(name: name, version: pinned, digest: digest) else {
            throw LedgerError.damaged("a look called \(name)")
        }
        return look
    }
}
