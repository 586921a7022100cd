internal import Database
package import Digest
package import Jobs
internal import Manifests
internal import PictureFormat

// Queries and changes of many renditions at once.

extension RenditionTable {
    /// Adds new renditions that are not held, with their orders' precedence.
    package func insert(_ records: [(record: RenditionRecord, finished: Int64)]) throws {
        for (record, _) in records { try insert(record.recipe) }
        let numbers = try database.giveNumbers(to: records.map(\.record.asset))
        try database.perform { connection in
            try connection.run(
                Self.insertion,
                rows: records.map { record, finished in
                    Self.values(record, numbers[record.asset] ?? 0, finished: finished, isHeld: false)
                })
            try connection.run(
                Self.insertionOfKeyword,
                rows: records.flatMap { Self.keywords($0.record, numbers[$0.record.asset] ?? 0) })
        }
    }

    package func hold(_ ids: [RenditionID]) throws {
        let rows = try values(of: ids)
        try database.perform { try $0.run("UPDATE renditions SET held = 1 WHERE \(Self.isID)", rows: rows) }
    }

    /// Values for `isID`, without renditions of unknown assets.
    private func values(of ids: [RenditionID]) throws -> [[DatabaseValue]] {
        let numbers = try database.numbers(of: Set(ids.map(\.asset)))
        return ids.compactMap { id in numbers[id.asset].map { [.integer($0), .blob(id.key.bytes)] } }
    }

    package struct Stored {
        package let record: RenditionRecord
        package let finished: Int64
        /// True if shown only where a user chose it.
        package let isHeld: Bool
    }

    /// All renditions of assets, from the oldest to the newest for each asset.
    package func stored(of assets: [SHA256Value]) throws -> [SHA256Value: [Stored]] {
        var stored: [SHA256Value: [Stored]] = [:]
        try database.perform { connection in
            try connection.each(
                """
                SELECT \(RenditionColumns.list), r.finished, r.held FROM \(RenditionColumns.source) WHERE r.asset = ?
                """, keys: try database.numbers(of: assets).values.sorted().map { [.integer($0)] }
            ) { row in
                let record = try RenditionRecord(row)
                stored[record.asset, default: []].append(
                    Stored(
                        record: record, finished: row.integer(RenditionColumns.count),
                        isHeld: row.integer(RenditionColumns.count + 1) != 0))
            }
        }
        return stored.mapValues { all in
            all.sorted { first, second in
                first.finished == second.finished
                    ? first.record.key.bytes.lexicographicallyPrecedes(second.record.key.bytes)
                    : first.finished < second.finished
            }
        }
    }

    /// The assets that have a number, ordered by it. The others have no rows.
    package func known(_ assets: Set<SHA256Value>) throws -> [SHA256Value] {
        try database.numbers(of: assets).keys.sorted()
    }

    package func summaries(_ ids: [RenditionID]) throws -> [RenditionKey: Summary] {
        var summaries: [RenditionKey: Summary] = [:]
        let keys = try values(of: ids)
        try database.perform { connection in
            try connection.each(
                "SELECT key, photo_sha256, preview_sha256, finished, held FROM renditions WHERE \(Self.isID)",
                keys: keys
            ) { row in
                summaries[try row.key(0)] = Summary(
                    photoDigest: row.blob(1), previewDigest: row.blob(2), finished: row.integer(3),
                    isHeld: row.integer(4) != 0)
            }
        }
        return summaries
    }

    package struct State {
        package let sizeBytes: UInt64
        /// True if `photos/` shows it at its own path.
        package let isShown: Bool
    }

    package func states(_ ids: [RenditionID]) throws -> [RenditionKey: State] {
        var states: [RenditionKey: State] = [:]
        let keys = try values(of: ids)
        try database.perform { connection in
            try connection.each(
                """
                SELECT r.key, r.photo_bytes + coalesce(r.preview_bytes, 0),
                    (SELECT count(*) FROM tree t WHERE t.asset = r.asset AND t.key = r.key AND t.root = '')
                FROM renditions r WHERE r.asset = ? AND r.key = ?
                """, keys: keys
            ) { row in
                states[try row.key(0)] = State(
                    sizeBytes: UInt64(bitPattern: row.integer(1)), isShown: row.integer(2) > 0)
            }
        }
        return states
    }

    package func contained(_ ids: [RenditionID]) throws -> Set<RenditionKey> {
        var contained: Set<RenditionKey> = []
        let keys = try values(of: ids)
        try database.perform { connection in
            try connection.each("SELECT key FROM renditions WHERE \(Self.isID)", keys: keys) { row in
                contained.insert(try row.key(0))
            }
        }
        return contained
    }
}
