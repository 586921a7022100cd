internal import Database

extension LibrarySchema {
    /// Hashes of RAWs are in no order, so that each batch of new RAWs changed most pages of an index of them. Those of the newest
    /// RAWs are now in a table of their own, and are sorted into the large one when they are many; see `AssetNumbers`.
    /// - `sorted_assets`: numbers by hash.
    /// - `recent_assets`: those that are not there yet.
    /// - `asset_numbers`: both.
    static let sortedAssets = Migration(
        """
        CREATE TABLE sorted_assets (hash BLOB PRIMARY KEY, id INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE recent_assets (id INTEGER PRIMARY KEY, hash BLOB NOT NULL) STRICT;
        \(changes)
        """,
        onServer: sortedAssetsOnServer)

    /// With an index of both: see `RecentAssets`.
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
