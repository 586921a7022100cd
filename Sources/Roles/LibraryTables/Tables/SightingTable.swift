internal import Database
package import Digest
package import Jobs

/// The table `sightings`: every path at which an asset's RAW was seen, because a RAW may be in several folders.
public struct SightingTable {
    private let database: LibraryDatabase

    package init(_ database: LibraryDatabase) { self.database = database }

    /// - Returns: false if the table has the same row already.
    package func insert(_ sighting: Sighting, of asset: SHA256Value) throws -> Bool {
        if try self.sighting(of: asset, at: sighting.raw.file) == sighting { return false }
        let raw = sighting.raw
        let number = try database.giveNumber(to: asset)
        return try database.perform { connection in
            try connection.run(
                """
                INSERT INTO sightings VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (asset, root, path) DO UPDATE
                SET bytes = excluded.bytes, modified = excluded.modified, base = excluded.base
                """, number, raw.file.root.text, raw.file.path.bytes, raw.sizeBytes, raw.modifiedNanoseconds,
                sighting.photoBase) > 0
        }
    }

    /// Adds paths without a row.
    package func insert(_ sightings: [(asset: SHA256Value, sighting: Sighting)]) throws {
        let numbers = try database.giveNumbers(to: sightings.map(\.asset))
        let rows: [[DatabaseValue]] = sightings.map { asset, sighting in
            let raw = sighting.raw
            return [
                .integer(numbers[asset] ?? 0), .text(raw.file.root.text), .blob(raw.file.path.bytes),
                raw.sizeBytes.databaseValue, .integer(raw.modifiedNanoseconds), .blob(sighting.photoBase),
            ]
        }
        try database.perform { try $0.run("INSERT INTO sightings VALUES (?, ?, ?, ?, ?, ?)", rows: rows) }
    }

    package func all(of assets: [SHA256Value]) throws -> [SHA256Value: [Sighting]] {
        var all: [SHA256Value: [Sighting]] = [:]
        try database.perform { connection in
            try connection.each(
                "SELECT \(AssetNumbers.hash()), root, path, bytes, modified, base FROM sightings WHERE asset = ?",
                keys: try database.numbers(of: assets).values.sorted().map { [.integer($0)] }
            ) { row in
                all[try row.digest(0), default: []].append(Sighting(raw: try row.stamp(1), photoBase: row.blob(5)))
            }
        }
        return all
    }

    package func remove(_ file: FileReference, of asset: SHA256Value) throws {
        try database.perform { connection in
            _ = try connection.run(
                "DELETE FROM sightings WHERE asset = ? AND root = ? AND path = ?", try database.number(of: asset),
                file.root.text,
                file.path.bytes)
        }
    }

    /// All sightings of an asset, ordered by path.
    package func all(of asset: SHA256Value) throws -> [Sighting] {
        try database.perform { connection in
            try connection.all(
                "SELECT root, path, bytes, modified, base FROM sightings WHERE asset = ? ORDER BY root, path",
                try database.number(of: asset)
            ) { row in Sighting(raw: try row.stamp(0), photoBase: row.blob(4)) }
        }
    }

    package func sighting(of asset: SHA256Value, at file: FileReference) throws -> Sighting? {
        try database.perform { connection in
            try connection.first(
                """
                SELECT root, path, bytes, modified, base FROM sightings WHERE asset = ? AND root = ? AND path = ?
                """, try database.number(of: asset), file.root.text, file.path.bytes
            ) { row in Sighting(raw: try row.stamp(0), photoBase: row.blob(4)) }
        }
    }

    /// A random sample of the RAWs seen in a root; all if there are fewer than `count`. Reads the whole table.
    package func sample(of root: RootName, count: Int) throws -> [FileStamp] {
        try database.perform { connection in
            try connection.all(
                "SELECT root, path, bytes, modified FROM sightings WHERE root = ? ORDER BY random() LIMIT ?", root.text,
                count
            ) { row in try row.stamp(0) }
        }
    }

    func hasOther(than asset: SHA256Value, at file: FileReference) throws -> Bool {
        try database.perform { connection in
            try connection.first(
                "SELECT 1 FROM sightings WHERE root = ? AND path = ? AND asset <> ?", file.root.text, file.path.bytes,
                try database.number(of: asset)
            ) { _ in true } ?? false
        }
    }

    /// Calls `body` with each sighting, ordered by asset and path.
    package func each(_ body: (SHA256Value, Sighting) throws -> Void) throws {
        try database.perform { connection in
            try connection.each(
                """
                SELECT a.hash, s.root, s.path, s.bytes, s.modified, s.base FROM sightings s JOIN assets a ON a.id = s.asset
                ORDER BY a.hash, s.root, s.path
                """
            ) { row in try body(try row.digest(0), Sighting(raw: try row.stamp(1), photoBase: row.blob(5))) }
        }
    }
}
