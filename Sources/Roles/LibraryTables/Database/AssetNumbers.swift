package import Database
package import Digest
internal import Memory

/// The table `assets`: numbers RAWs in the order of arrival. Rows refer to a RAW by its number, so that new rows are
/// written at the end of tables and indexes: hashes are random, and a batch would change pages everywhere. For the same
/// reason the number of a hash is in one of two tables (`RecentAssets`), which the view `asset_numbers` joins.
///
/// A RAW keeps its number when its last photo is removed. Only a rebuild or a migration numbers RAWs again.
package final class AssetNumbers {
    private let connection: Connection
    /// A writer's lookups. Readers cache none, because a rebuilt library on a server has other numbers.
    private var known: BoundedCache<SHA256Value, Int64>?
    private var recent: RecentAssets
    /// A writer's failed lookups in this transaction, during which no other process writes.
    private var absent: Set<SHA256Value> = []
    var isInTransaction = false { didSet { absent.removeAll() } }

    package init(_ connection: Connection, remembers: Bool) {
        self.connection = connection
        known = remembers ? BoundedCache(maxCount: 20_000) : nil
        recent = RecentAssets(connection)
    }

    /// SQL for the hash of the asset whose number is in a column.
    package static func hash(_ column: String = "asset") -> String { "(SELECT hash FROM assets WHERE id = \(column))" }

    /// The asset's number; 0, which no row has, if it has none.
    package func number(of asset: SHA256Value) throws -> Int64 { try numbers(of: [asset])[asset] ?? 0 }

    package func numbers(of assets: some Sequence<SHA256Value>) throws -> [SHA256Value: Int64] {
        var numbers: [SHA256Value: Int64] = [:]
        var unknown: [SHA256Value] = []
        for asset in assets where !absent.contains(asset) {
            if let number = known?[asset] { numbers[asset] = number } else { unknown.append(asset) }
        }
        if unknown.isEmpty { return numbers }
        try numbers.merge(find(unknown)) { $1 }
        for asset in unknown { remember(numbers[asset], of: asset) }
        return numbers
    }

    /// PostgreSQL has an index of both tables and needs one query.
    private func find(_ assets: [SHA256Value]) throws -> [SHA256Value: Int64] {
        if connection.isServers { return try find(assets, in: "asset_numbers") }
        var found = try find(assets, in: "sorted_assets")
        func rest() -> [SHA256Value] { assets.filter { found[$0] == nil } }
        guard found.count < assets.count else { return found }
        try found.merge(recent.numbers(of: rest())) { $1 }
        // Another process may have sorted it in since.
        if !isInTransaction { try found.merge(find(rest(), in: "sorted_assets")) { $1 } }
        return found
    }

    private func find(_ assets: [SHA256Value], in table: String) throws -> [SHA256Value: Int64] {
        var found: [SHA256Value: Int64] = [:]
        try connection.each(
            "SELECT hash, id FROM \(table) WHERE hash = ?", keys: assets.map { [.blob($0.bytes)] }
        ) { row in found[try row.digest(0)] = row.integer(1) }
        return found
    }

    /// The asset's number, assigned if it has none. Within a transaction.
    package func give(to asset: SHA256Value) throws -> Int64 { try give(to: [asset])[asset] ?? 0 }

    /// The assets' numbers; missing ones are assigned in this order. Within a transaction.
    package func give(to assets: [SHA256Value]) throws -> [SHA256Value: Int64] {
        var numbers = try numbers(of: assets)
        let new = assets.filter { numbers[$0] == nil }
        guard !new.isEmpty else { return numbers }
        var last = try connection.first("SELECT max(id) FROM assets") { $0.integer(0) } ?? 0
        var rows: [[DatabaseValue]] = []
        for asset in new where numbers[asset] == nil {
            last += 1
            numbers[asset] = last
            rows.append([.integer(last), .blob(asset.bytes)])
            remember(last, of: asset)
        }
        try connection.run("INSERT INTO assets (id, hash) VALUES (?, ?)", rows: rows)
        try recent.insert(rows, last: last)
        return numbers
    }

    /// Call it after a rollback, which may have undone numbers.
    package func forget() {
        known?.removeAll()
        recent.forget()
    }

    private func remember(_ number: Int64?, of asset: SHA256Value) {
        guard known != nil else { return }
        guard let number else {
            if isInTransaction { absent.insert(asset) }
            return
        }
        absent.remove(asset)
        known?[asset] = number
    }
}
