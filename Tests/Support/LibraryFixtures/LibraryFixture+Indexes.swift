import Database
import PostgreSQLServer

extension LibraryFixture {
    /// Turns the tables into what step 17 of the schema had left: other indexes.
    public func loseCaptureIndexes() throws {
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

    /// What the database says of its indexes, in an order of their own.
    public func indexes() throws -> [String] {
        try connection().all(
            try isFile
                ? "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY sql"
                : "SELECT indexdef::text FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1"
        ) { $0.text(0) }
    }
}
