internal import Database
internal import Jobs
internal import Manifests
internal import Records

/// The table `roots`: the folders that files are named relative to.
public final class RootsTable {
    private let connection: Connection
    /// A cache of rows. The table only grows, and no root changes its name or number.
    private var names: [Int64: RootName] = [:]
    private var numbers: [RootName: Int64] = [:]

    init(_ connection: Connection) { self.connection = connection }

    /// All registered roots except the library's own, which is wherever the library is.
    public func all() throws -> RootMap {
        RootMap(
            try connection.all("SELECT name, path FROM roots WHERE id > 0 ORDER BY id") { row in
                guard let name = RootName(row.text(0)) else {
                    throw LedgerError.damaged("a root called \(row.text(0))")
                }
                return RegisteredRoot(name: name, path: row.blob(1))
            })
    }

    /// Adds new roots and updates the paths of known ones, in one transaction. The library's own root is left out.
    public func register(_ roots: RootMap) throws {
        try connection.transaction {
            for root in roots.all where root.name != .library {
                try connection.run(
                    """
                    INSERT INTO roots(name, path) VALUES (?, ?)
                    ON CONFLICT(name) DO UPDATE SET path = excluded.path WHERE roots.path <> excluded.path
                    """, root.name.text, root.path)
            }
        }
    }

    /// The last sample of a root; nil before the first check, and if a newer version wrote it.
    func status(of name: RootName) throws -> RootStatus? {
        try connection.first(
            "SELECT record FROM root_samples JOIN roots ON roots.id = root WHERE name = ?", name.text
        ) { try? RootStatus(record: $0.blob(0)) } ?? nil
    }

    func setStatus(_ status: RootStatus) throws {
        try connection.run(
            """
            INSERT INTO root_samples VALUES (?, ?) ON CONFLICT(root) DO UPDATE SET record = excluded.record
            """, try number(of: status.root), status.encoded())
    }

    func statuses() throws -> [RootStatus] {
        try connection.all("SELECT record FROM root_samples ORDER BY root") { try? RootStatus(record: $0.blob(0)) }
            .compactMap { $0 }
    }

    func number(of name: RootName) throws -> Int64 {
        guard let number = try knownNumber(of: name) else { throw LedgerError.unknownRoot(name.text) }
        return number
    }

    func knownNumber(of name: RootName) throws -> Int64? {
        if let known = numbers[name] { return known }
        let number = try connection.first("SELECT id FROM roots WHERE name = ?", name.text) { $0.integer(0) }
        if let number { cache(name, number) }
        return number
    }

    func name(_ number: Int64) throws -> RootName {
        if let known = names[number] { return known }
        let text = try connection.first("SELECT name FROM roots WHERE id = ?", number) { $0.text(0) }
        guard let name = text.flatMap({ RootName($0) }) else { throw LedgerError.damaged("a job without a root") }
        cache(name, number)
        return name
    }

    private func cache(_ name: RootName, _ number: Int64) {
        numbers[name] = number
        names[number] = name
    }
}
