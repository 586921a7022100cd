import Database
import Manifests
import PostgreSQLServer

extension LibraryFixture {
    /// Reverts the tables to step 17 of the schema: other indexes.
    public func loseCaptureIndexes() throws {
        try loseRenditionIDs()
        try connection().script(
            """
            DROP INDEX renditions_by_pixels;
            DROP INDEX renditions_by_captured;
            DROP INDEX renditions_by_recipe;
            CREATE INDEX renditions_by_captured ON renditions(captured);
            CREATE INDEX renditions_by_recipe ON renditions(recipe);
            \(try isFile ? "PRAGMA user_version =" : "UPDATE schema_version SET steps =") 17
            """)
    }

    /// Reverts the tables to step 19 of the schema: an index of keys alone, which assigns keywords to renditions.
    public func loseRenditionIDs() throws {
        try loseSortedAssets()
        let type = try isFile ? "BLOB" : "bytea"
        let word = try isFile ? "TEXT" : "text COLLATE \"C\""
        try connection().script(
            """
            CREATE TABLE words AS SELECT key, word FROM keywords;
            DROP TABLE keywords;
            CREATE TABLE keywords (key \(type) NOT NULL, word \(word) NOT NULL, PRIMARY KEY (key, word));
            INSERT INTO keywords SELECT key, word FROM words;
            DROP TABLE words;
            CREATE INDEX keywords_by_word ON keywords(lower(word), key);
            DROP INDEX renditions_of_asset;
            CREATE UNIQUE INDEX rendition_keys ON renditions(key);
            CREATE INDEX renditions_of_asset ON renditions(asset, frame);
            \(try isFile ? "PRAGMA user_version =" : "UPDATE schema_version SET steps =") 19
            """)
    }

    /// Reverts the tables to step 21 of the schema: without EXIF facts.
    public func loseExifFacts() throws {
        let facts = PhotoFact.all.filter { $0.origin == .exif }
        let drops = facts.map { "ALTER TABLE renditions DROP COLUMN \($0.column);" }
        try connection().script(
            """
            \(drops.joined(separator: "\n"))
            \(try isFile ? "PRAGMA user_version =" : "UPDATE schema_version SET steps =") 21
            """)
    }

    /// Reverts the tables to step 20 of the schema: an index of the RAWs' hashes.
    public func loseSortedAssets() throws {
        try loseExifFacts()
        try connection().script(
            """
            DROP VIEW asset_numbers;
            DROP TABLE sorted_assets;
            DROP TABLE recent_assets;
            CREATE UNIQUE INDEX asset_hashes ON assets(hash);
            \(try isFile ? "PRAGMA user_version =" : "UPDATE schema_version SET steps =") 20
            """)
    }

    /// The database's definitions of its indexes, sorted.
    public func indexes() throws -> [String] {
        try connection().all(
            try isFile
                ? "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY sql"
                : "SELECT indexdef::text FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1"
        ) { $0.text(0) }
    }
}
