internal import Database

extension LibrarySchema {
    /// Puts the newest RAWs' hashes in a separate table and sorts them into the large one in batches. Hashes are in
    /// random order, so each batch of new RAWs changed most pages of their index; see `AssetNumbers`.
    /// - `sorted_assets`: numbers by hash.
    /// - `recent_assets`: those not yet sorted.
    /// - `asset_numbers`: both.
    static let sortedAssets = Migration(
        """
        CREATE TABLE sorted_assets (hash BLOB PRIMARY KEY, id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE recent_assets (id INTEGER PRIMARY KEY, hash BLOB NOT NULL) STRICT;
        \(changes)
        """,
        onServer: sortedAssetsOnServer)

    /// With an index of both columns; see `RecentAssets`.
    static let sortedAssetsOnServer = """
        CREATE TABLE sorted_assets (hash bytea PRIMARY KEY, id bigint NOT NULL);
        CREATE TABLE recent_assets (id bigint PRIMARY KEY, hash bytea NOT NULL);
        CREATE UNIQUE INDEX recent_hashes ON recent_assets(hash);
        \(changes)
        """

    private static let changes = """
        INSERT INTO sorted_assets SELECT hash, id FROM assets ORDER BY hash;
        DROP INDEX asset_hashes;
        CREATE VIEW asset_numbers AS
            SELECT hash, id FROM sorted_assets UNION ALL SELECT hash, id FROM recent_assets;
        """
}
