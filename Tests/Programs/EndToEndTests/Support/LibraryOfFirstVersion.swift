import Database
import Foundation
import Testing

/// Reverts a library to the state of version 0.1.0: its tables, topics and files.
struct LibraryOfFirstVersion {
    let library: URL

    /// - Parameters:
    ///   - job: name of the RAW whose job is then only accepted: its photo is removed. Nil to keep all.
    ///   - keepsIdentity: whether the cluster knows the library by its identity.
    func carryBack(unfinished job: String? = nil, keepsIdentity: Bool = false) throws {
        if let job { try forget(job) }
        try carryLibraryBack()
        try carryBack(".rawmill/coordinator.sqlite", schema: FirstSchemas.ledger, steps: 5) { old in
            guard let job else { return }
            try old.run("DELETE FROM sent_offsets")
            try old.run(
                """
                UPDATE jobs SET state = 0, attempts = 0, sends = 0, finished_ms = NULL, asset = NULL
                WHERE path = CAST(? AS BLOB)
                """, job)
            try old.run(
                """
                UPDATE batches SET state = 0, open = open + 1, catalogued = catalogued - 1
                WHERE id = (SELECT batch FROM jobs WHERE state = 0)
                """)
        }
        try forgetTopics()
        let manager = FileManager.default
        for name in ["attempts", "library.id"] where name != "library.id" || !keepsIdentity {
            try? manager.removeItem(at: library.appending(path: ".rawmill/\(name)"))
        }
        try linkPhotos()
    }

    /// Reverts only the library's tables.
    func carryLibraryBack() throws { try carryBack("library.sqlite", schema: FirstSchemas.library, steps: 1) }

    /// Removes the photo of a RAW with its row.
    private func forget(_ job: String) throws {
        let store = try database("library.sqlite")
        let path = "%/\(job)"
        let rows = try store.all(
            """
            SELECT lower(hex(r.key)), CAST(t.path AS TEXT), r.key FROM renditions r JOIN tree t ON t.key = r.key
            WHERE '/' || CAST(r.original_path AS TEXT) LIKE ?
            """, path
        ) { ($0.text(0), $0.text(1), $0.blob(2)) }
        let (name, shown, key) = try #require(rows.first)
        try FileManager.default.removeItem(at: library.appending(path: shown))
        let objects = FileManager.default.enumerator(at: library, includingPropertiesForKeys: nil)
        for case let file as URL in try #require(objects) where file.lastPathComponent == "\(name).jpg" {
            try FileManager.default.removeItem(at: file)
        }
        try store.run("DELETE FROM tree WHERE key = ?", key)
        try store.run("DELETE FROM renditions WHERE key = ?", key)
    }

    /// Moves the rows of a database into the tables of the first version. Later columns are lost.
    private func carryBack(
        _ name: String, schema: (tables: String, rules: String), steps: Int,
        edit: (Connection) throws -> Void = { _ in }
    ) throws {
        let file = library.appending(path: name)
        do {
            let old = try database("\(name).old")
            try old.script(schema.tables)
            try old.run("ATTACH ? AS present", file.path)
            let tables = try old.all("SELECT name FROM main.sqlite_master WHERE type = 'table'") { $0.text(0) }
            for table in tables {
                let columns = try old.all("SELECT name FROM pragma_table_info(?)", table) { $0.text(0) }
                // Assets have numbers now.
                let isNumbered = ["renditions", "copies", "tree", "displaced"].contains(table)
                let values = columns.map { column in
                    isNumbered && column == "asset" ? "(SELECT hash FROM present.assets WHERE id = asset)" : column
                }
                try old.script(
                    """
                    INSERT OR REPLACE INTO main.\(table) (\(columns.joined(separator: ", ")))
                    SELECT \(values.joined(separator: ", ")) FROM present.\(table)
                    """)
            }
            try edit(old)
            try old.script("DETACH present; \(schema.rules); PRAGMA user_version = \(steps)")
        }
        for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + ending) }
        try FileManager.default.moveItem(atPath: file.path + ".old", toPath: file.path)
    }

    /// Removes later topics from the embedded broker, if there is one.
    private func forgetTopics() throws {
        let name = ".rawmill/broker.sqlite"
        guard FileManager.default.fileExists(atPath: library.appending(path: name).path) else { return }
        let broker = try database(name)
        let partitions = "SELECT id FROM partitions WHERE topic IN ('rawmill.results', 'rawmill.removals')"
        try broker.script(
            """
            DELETE FROM records WHERE place >> 44 IN (\(partitions));
            DELETE FROM committed WHERE partition_id IN (\(partitions));
            DELETE FROM partitions WHERE topic IN ('rawmill.results', 'rawmill.removals');
            DELETE FROM topics WHERE name IN ('rawmill.results', 'rawmill.removals');
            """)
    }

    /// Photos were hard links to the objects.
    private func linkPhotos() throws {
        let store = try database("library.sqlite")
        try store.each("SELECT CAST(path AS TEXT), lower(hex(key)) FROM tree WHERE key IS NOT NULL") { row in
            let (path, name) = (row.text(0), row.text(1))
            let object = library.appending(path: "objects/\(name.prefix(2))/\(name.dropFirst(2).prefix(2))/\(name).jpg")
            try FileManager.default.removeItem(at: library.appending(path: path))
            try FileManager.default.linkItem(at: object, to: library.appending(path: path))
        }
    }

    private func database(_ name: String) throws -> Connection {
        try Connection(path: library.appending(path: name).path)
    }
}
