import Database
import PostgreSQLServer

extension LibraryFixture {
    /// Reverts the tables to step 16 of the schema: hashes of RAWs instead of their numbers.
    public func loseNumbers() throws {
        try loseSortedAssets()
        let connection = try connection()
        let tables = [
            "renditions", "copies", "tree", "displaced", "sightings", "album_members", "revisions", "choices",
        ]
        for table in tables {
            let columns = try columns(of: table, connection).map { column in
                column == "asset" ? "(SELECT hash FROM assets WHERE id = asset) AS asset" : column
            }
            try connection.script(
                """
                ALTER TABLE \(table) RENAME TO numbered_\(table);
                CREATE TABLE \(table) AS SELECT \(columns.joined(separator: ", ")) FROM numbered_\(table);
                DROP TABLE numbered_\(table);
                """)
        }
        let isFile = try isFile
        let indexes =
            [
                "renditions_of_asset", "renditions_at", "renditions_by_captured", "renditions_by_model",
                "renditions_by_camera", "renditions_by_recipe", "renditions_by_rating", "renditions_degraded",
                "displaced_of_asset", "album_members_in_order", "album_members_of_asset",
            ] + (isFile ? [] : ["tree_ids", "tree_paths", "displaced_paths", "sighting_paths"])
        for index in indexes {
            let table = tables.first { index.hasPrefix($0) } ?? (index == "sighting_paths" ? "sightings" : "tree")
            try connection.script("CREATE INDEX \(index) ON \(table)(asset)")
        }
        try connection.script(
            "DROP TABLE assets; \(isFile ? "PRAGMA user_version =" : "UPDATE schema_version SET steps =") 16")
    }

    private func columns(of table: String, _ connection: Connection) throws -> [String] {
        let query =
            try isFile
            ? "SELECT name FROM pragma_table_info(?) ORDER BY cid"
            : """
            SELECT column_name::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position
            """
        return try connection.all(query, table) { $0.text(0) }
    }
}
