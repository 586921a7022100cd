package import Database

extension LibrarySchema {
    /// Replaces RAWs' hashes with numbers (`AssetNumbers`) in the column `asset` of `renditions`, `copies`, `tree`,
    /// `displaced`, `sightings`, `album_members`, `revisions` and `choices`.
    package static let numbers = Migration(
        """
        CREATE TABLE assets (id INTEGER PRIMARY KEY, hash BLOB NOT NULL) STRICT;
        INSERT INTO assets (hash) SELECT asset FROM renditions GROUP BY asset ORDER BY min(rowid);
        CREATE UNIQUE INDEX asset_hashes ON assets(hash);
        INSERT INTO assets (hash) SELECT asset FROM (\(others)) WHERE asset NOT IN (SELECT hash FROM assets);
        \(dropIndexes)
        \(setAside)
        CREATE TABLE renditions (
            key BLOB NOT NULL, asset INTEGER NOT NULL, frame INTEGER NOT NULL,
            recipe BLOB NOT NULL REFERENCES recipes(recipe), engine INTEGER NOT NULL,
            photo_sha256 BLOB NOT NULL, photo_bytes INTEGER NOT NULL, photo_width INTEGER, photo_height INTEGER,
            preview_sha256 BLOB, preview_bytes INTEGER, preview_width INTEGER, preview_height INTEGER,
            original_root TEXT NOT NULL, original_path BLOB NOT NULL,
            original_bytes INTEGER NOT NULL, original_modified INTEGER NOT NULL,
            companion_root TEXT, companion_path BLOB, companion_bytes INTEGER, companion_modified INTEGER,
            companion_sha256 BLOB,
            degraded TEXT, captured TEXT, make TEXT NOT NULL, model TEXT NOT NULL, photo_base BLOB NOT NULL,
            finished INTEGER NOT NULL, lens TEXT, held INTEGER NOT NULL DEFAULT 0, rating INTEGER, keywords TEXT
        ) STRICT;
        CREATE TABLE copies (
            asset INTEGER PRIMARY KEY, extension TEXT NOT NULL, bytes INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE tree (
            asset INTEGER NOT NULL, frame INTEGER NOT NULL, look TEXT NOT NULL, root TEXT NOT NULL, raw BLOB NOT NULL,
            key BLOB, path BLOB NOT NULL UNIQUE, PRIMARY KEY (asset, frame, look, root, raw)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE displaced (
            path BLOB NOT NULL, asset INTEGER NOT NULL, frame INTEGER NOT NULL, look TEXT NOT NULL, root TEXT NOT NULL,
            raw BLOB NOT NULL, PRIMARY KEY (path, asset, frame, look, root, raw)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE sightings (
            asset INTEGER NOT NULL, root TEXT NOT NULL, path BLOB NOT NULL, bytes INTEGER NOT NULL,
            modified INTEGER NOT NULL, base BLOB NOT NULL, PRIMARY KEY (asset, root, path)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE album_members (
            album INTEGER NOT NULL REFERENCES albums(id), asset INTEGER NOT NULL, frame INTEGER NOT NULL,
            position INTEGER NOT NULL, PRIMARY KEY (album, asset, frame)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE revisions (
            asset INTEGER NOT NULL, frame INTEGER NOT NULL, look TEXT NOT NULL, number INTEGER NOT NULL,
            key BLOB NOT NULL, parent INTEGER, PRIMARY KEY (asset, frame, look, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE choices (
            asset INTEGER NOT NULL, frame INTEGER NOT NULL, look TEXT NOT NULL, number INTEGER NOT NULL,
            key BLOB NOT NULL, precedence INTEGER NOT NULL, PRIMARY KEY (asset, frame, look)
        ) STRICT, WITHOUT ROWID;
        \(fill)
        CREATE UNIQUE INDEX rendition_keys ON renditions(key);
        CREATE INDEX renditions_of_asset ON renditions(asset, frame);
        CREATE INDEX renditions_at ON renditions(original_path);
        CREATE INDEX renditions_by_captured ON renditions(captured);
        CREATE INDEX renditions_by_model ON renditions(lower(model));
        CREATE INDEX renditions_by_camera ON renditions(lower(make || ' ' || model));
        CREATE INDEX renditions_by_recipe ON renditions(recipe);
        CREATE INDEX renditions_by_rating ON renditions(rating) WHERE rating <> 0;
        CREATE INDEX renditions_degraded ON renditions(degraded) WHERE degraded IS NOT NULL;
        CREATE INDEX displaced_of_asset ON displaced(asset, frame, look);
        CREATE INDEX album_members_in_order ON album_members(album, position);
        CREATE INDEX album_members_of_asset ON album_members(asset);
        """,
        onServer: """
            CREATE TABLE assets (id bigint PRIMARY KEY, hash bytea NOT NULL);
            INSERT INTO assets
                SELECT row_number() OVER (ORDER BY min(finished), asset), asset FROM renditions GROUP BY asset;
            CREATE UNIQUE INDEX asset_hashes ON assets(hash);
            INSERT INTO assets
                SELECT (SELECT count(*) FROM assets) + row_number() OVER (ORDER BY asset), asset FROM (\(others)) AS others
                WHERE asset NOT IN (SELECT hash FROM assets);
            \(dropIndexes)
            DROP INDEX tree_ids, tree_paths, displaced_paths, sighting_paths;
            \(setAside)
            \(numberedTablesOnServer)
            \(fill)
            \(numberedIndexesOnServer)
            """)

    /// Assets that only other tables have rows of.
    private static let others = """
        SELECT asset FROM copies UNION SELECT asset FROM tree UNION SELECT asset FROM displaced
        UNION SELECT asset FROM sightings UNION SELECT asset FROM album_members UNION SELECT asset FROM revisions
        UNION SELECT asset FROM choices
        """

    private static let dropIndexes = """
        DROP INDEX renditions_of_asset;
        DROP INDEX renditions_at;
        DROP INDEX renditions_by_captured;
        DROP INDEX renditions_by_model;
        DROP INDEX renditions_by_camera;
        DROP INDEX renditions_by_recipe;
        DROP INDEX renditions_by_rating;
        DROP INDEX renditions_degraded;
        DROP INDEX displaced_of_asset;
        DROP INDEX album_members_in_order;
        DROP INDEX album_members_of_asset;
        """

    private static let setAside = """
        ALTER TABLE renditions RENAME TO old_renditions;
        ALTER TABLE copies RENAME TO old_copies;
        ALTER TABLE tree RENAME TO old_tree;
        ALTER TABLE displaced RENAME TO old_displaced;
        ALTER TABLE sightings RENAME TO old_sightings;
        ALTER TABLE album_members RENAME TO old_album_members;
        ALTER TABLE revisions RENAME TO old_revisions;
        ALTER TABLE choices RENAME TO old_choices;
        """

    private static let fill = """
        INSERT INTO renditions SELECT key, a.id, frame, recipe, engine, photo_sha256, photo_bytes, photo_width,
            photo_height, preview_sha256, preview_bytes, preview_width, preview_height, original_root, original_path, original_bytes, original_modified,
            companion_root, companion_path, companion_bytes, companion_modified, companion_sha256, degraded, captured, make,
            model, photo_base, finished, lens, held, rating, keywords
            FROM old_renditions o JOIN assets a ON a.hash = o.asset ORDER BY a.id;
        DROP TABLE old_renditions;
        INSERT INTO copies SELECT a.id, extension, bytes
            FROM old_copies o JOIN assets a ON a.hash = o.asset ORDER BY a.id;
        DROP TABLE old_copies;
        INSERT INTO tree SELECT a.id, frame, look, root, raw, key, path
            FROM old_tree o JOIN assets a ON a.hash = o.asset ORDER BY a.id;
        DROP TABLE old_tree;
        INSERT INTO displaced SELECT path, a.id, frame, look, root, raw
            FROM old_displaced o JOIN assets a ON a.hash = o.asset ORDER BY path;
        DROP TABLE old_displaced;
        INSERT INTO sightings SELECT a.id, root, path, bytes, modified, base
            FROM old_sightings o JOIN assets a ON a.hash = o.asset ORDER BY a.id;
        DROP TABLE old_sightings;
        INSERT INTO album_members SELECT album, a.id, frame, position
            FROM old_album_members o JOIN assets a ON a.hash = o.asset ORDER BY album, a.id;
        DROP TABLE old_album_members;
        INSERT INTO revisions SELECT a.id, frame, look, number, key, parent
            FROM old_revisions o JOIN assets a ON a.hash = o.asset ORDER BY a.id;
        DROP TABLE old_revisions;
        INSERT INTO choices SELECT a.id, frame, look, number, key, precedence
            FROM old_choices o JOIN assets a ON a.hash = o.asset ORDER BY a.id;
        DROP TABLE old_choices;
        """

    /// The tables with numbers, in PostgreSQL's syntax.
    static let numberedTablesOnServer = """
        CREATE TABLE renditions (
            key bytea NOT NULL, asset bigint NOT NULL, frame bigint NOT NULL,
            recipe bytea NOT NULL REFERENCES recipes(recipe), engine bigint NOT NULL,
            photo_sha256 bytea NOT NULL, photo_bytes bigint NOT NULL, photo_width bigint, photo_height bigint,
            preview_sha256 bytea, preview_bytes bigint, preview_width bigint, preview_height bigint,
            original_root text COLLATE "C" NOT NULL, original_path bytea NOT NULL,
            original_bytes bigint NOT NULL, original_modified bigint NOT NULL,
            companion_root text COLLATE "C", companion_path bytea, companion_bytes bigint, companion_modified bigint,
            companion_sha256 bytea,
            degraded text COLLATE "C", captured text COLLATE "C", make text COLLATE "C" NOT NULL,
            model text COLLATE "C" NOT NULL, photo_base bytea NOT NULL, finished bigint NOT NULL, lens text COLLATE "C",
            held bigint NOT NULL DEFAULT 0, rating bigint, keywords text COLLATE "C");
        CREATE TABLE copies (asset bigint PRIMARY KEY, extension text COLLATE "C" NOT NULL, bytes bigint NOT NULL);
        CREATE TABLE tree (
            asset bigint NOT NULL, frame bigint NOT NULL, look text COLLATE "C" NOT NULL, root text COLLATE "C" NOT NULL,
            raw bytea NOT NULL, key bytea, path bytea NOT NULL);
        CREATE TABLE displaced (
            path bytea NOT NULL, asset bigint NOT NULL, frame bigint NOT NULL, look text COLLATE "C" NOT NULL,
            root text COLLATE "C" NOT NULL, raw bytea NOT NULL);
        CREATE TABLE sightings (
            asset bigint NOT NULL, root text COLLATE "C" NOT NULL, path bytea NOT NULL, bytes bigint NOT NULL,
            modified bigint NOT NULL, base bytea NOT NULL);
        CREATE TABLE album_members (
            album bigint NOT NULL REFERENCES albums(id), asset bigint NOT NULL, frame bigint NOT NULL,
            position bigint NOT NULL, PRIMARY KEY (album, asset, frame));
        CREATE TABLE revisions (
            asset bigint NOT NULL, frame bigint NOT NULL, look text COLLATE "C" NOT NULL, number bigint NOT NULL,
            key bytea NOT NULL, parent bigint, PRIMARY KEY (asset, frame, look, number));
        CREATE TABLE choices (
            asset bigint NOT NULL, frame bigint NOT NULL, look text COLLATE "C" NOT NULL, number bigint NOT NULL,
            key bytea NOT NULL, precedence bigint NOT NULL, PRIMARY KEY (asset, frame, look));
        """

    static let numberedIndexesOnServer = """
        CREATE UNIQUE INDEX rendition_keys ON renditions(key);
        CREATE INDEX renditions_of_asset ON renditions(asset, frame);
        CREATE INDEX renditions_at ON renditions(\(IndexedPath.beginning("original_path")));
        CREATE INDEX renditions_by_captured ON renditions(captured);
        CREATE INDEX renditions_by_model ON renditions(lower(model));
        CREATE INDEX renditions_by_camera ON renditions(lower(make || ' ' || model));
        CREATE INDEX renditions_by_recipe ON renditions(recipe);
        CREATE INDEX renditions_by_rating ON renditions(rating) WHERE rating <> 0;
        CREATE INDEX renditions_degraded ON renditions(degraded) WHERE degraded IS NOT NULL;
        CREATE UNIQUE INDEX tree_ids ON tree(asset, frame, look, root, \(IndexedPath.key("raw")));
        CREATE UNIQUE INDEX tree_paths ON tree(\(IndexedPath.key("path")));
        CREATE UNIQUE INDEX displaced_paths ON displaced(
            \(IndexedPath.key("path")), asset, frame, look, root, \(IndexedPath.key("raw")));
        CREATE INDEX displaced_of_asset ON displaced(asset, frame, look);
        CREATE UNIQUE INDEX sighting_paths ON sightings(asset, root, \(IndexedPath.key("path")));
        CREATE INDEX album_members_in_order ON album_members(album, position);
        CREATE INDEX album_members_of_asset ON album_members(asset);
        """
}
