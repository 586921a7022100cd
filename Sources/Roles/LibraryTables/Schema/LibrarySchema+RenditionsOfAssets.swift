internal import Database

extension LibrarySchema {
    /// Finds renditions and their keywords by asset number and key. Keys alone are in random order, so each batch of
    /// new photos changed most pages of their index. `RenditionFinder` finds a rendition by its key alone.
    static let renditionsOfAssets = Migration(
        """
        ALTER TABLE keywords RENAME TO old_keywords;
        DROP INDEX keywords_by_word;
        CREATE TABLE keywords (
            asset INTEGER NOT NULL, key BLOB NOT NULL, word TEXT NOT NULL, PRIMARY KEY (asset, key, word)
        ) STRICT, WITHOUT ROWID;
        \(changes)
        """,
        onServer: renditionsOfAssetsOnServer)

    static let renditionsOfAssetsOnServer = """
        ALTER TABLE keywords RENAME TO old_keywords;
        ALTER INDEX keywords_pkey RENAME TO old_keywords_pkey;
        DROP INDEX keywords_by_word;
        CREATE TABLE keywords (
            asset bigint NOT NULL, key bytea NOT NULL, word text COLLATE "C" NOT NULL, PRIMARY KEY (asset, key, word));
        \(changes)
        """

    private static let changes = """
        INSERT INTO keywords
            SELECT r.asset, k.key, k.word FROM old_keywords k JOIN renditions r ON r.key = k.key ORDER BY 1, 2, 3;
        DROP TABLE old_keywords;
        CREATE INDEX keywords_by_word ON keywords(lower(word), asset, key);
        DROP INDEX rendition_keys;
        DROP INDEX renditions_of_asset;
        CREATE UNIQUE INDEX renditions_of_asset ON renditions(asset, key);
        """
}
