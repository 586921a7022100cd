internal import Database
public import Digest
public import Jobs

extension LedgerStore {
    /// The registered roots, without the library's own.
    public func roots() throws -> RootMap {
        RootMap(
            try connection.all("SELECT name, path FROM roots WHERE id > 0 ORDER BY id") { row in
                guard let name = RootName(row.text(0)) else {
                    throw LedgerError.damaged("a root called \(row.text(0))")
                }
                return RegisteredRoot(name: name, path: row.blob(1))
            })
    }

    /// Keeps roots that are new, or stand elsewhere now. The library's own is not kept: it is where the library is.
    public func register(_ table: RootMap) throws {
        try connection.transaction {
            for root in table.all where root.name != .library {
                try connection.run(
                    """
                    INSERT INTO roots(name, path) VALUES (?, ?)
                    ON CONFLICT(name) DO UPDATE SET path = excluded.path WHERE path <> excluded.path
                    """, root.name.text, root.path)
            }
        }
    }

    /// The look under its name and the version that stands for this content: the one it had before, or the next.
    /// So a user's `.cube` that changes under the same name becomes another look.
    ///
    /// - Parameter version: the highest version of that name that ships with Rawmill; 0 for none.
    public func pinLook(name: String, digest: SHA256Value, above version: UInt32 = 0) throws -> LookReference {
        try connection.transaction {
            let look = try look(name: name, digest: digest, above: version)
            try connection.run("INSERT OR IGNORE INTO looks VALUES (?, ?, ?)", name, look.version, digest.bytes)
            return look
        }
    }

    /// What `pinLook` would answer; keeps nothing.
    public func look(name: String, digest: SHA256Value, above version: UInt32 = 0) throws -> LookReference {
        let known = try connection.first(
            "SELECT version FROM looks WHERE name = ? AND digest = ?", name, digest.bytes
        ) { $0.integer(0) }
        let highest = try connection.first("SELECT max(version) FROM looks WHERE name = ?", name) { $0.integer(0) }
        let next = max(UInt32(clamping: highest ?? 0), version).addingReportingOverflow(1)
        let pinned = known.flatMap { UInt32(exactly: $0) } ?? next.partialValue
        // No version is 0, so one beyond the last is refused too.
        guard let look = LookReference(name: name, version: pinned, digest: digest) else {
            throw LedgerError.damaged("a look called \(name)")
        }
        return look
    }

    func rootNumber(_ name: RootName) throws -> Int64 {
        guard let number = try knownRoot(name) else { throw LedgerError.unknownRoot(name.text) }
        return number
    }

    /// Nil for a root that was never registered.
    func knownRoot(_ name: RootName) throws -> Int64? {
        if let known = rootNumbers[name] { return known }
        let number = try connection.first("SELECT id FROM roots WHERE name = ?", name.text) { $0.integer(0) }
        if let number {
            rootNumbers[name] = number
            rootNames[number] = name
        }
        return number
    }

    func rootName(_ number: Int64) throws -> RootName {
        if let known = rootNames[number] { return known }
        let text = try connection.first("SELECT name FROM roots WHERE id = ?", number) { $0.text(0) }
        guard let name = text.flatMap({ RootName($0) }) else { throw LedgerError.damaged("a job without a root") }
        rootNumbers[name] = number
        rootNames[number] = name
        return name
    }
}
