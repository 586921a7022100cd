package import Database

/// The tables of `library.sqlite`, as migrations. A released migration never changes; a new one follows it.
///
/// Tables hold content or bookkeeping. A rebuild from the files reproduces content to the last byte, so content has no
/// clocks or counters. Bookkeeping records the progress of the cataloguer.
package enum LibrarySchema {
    static let migrations = [
        first, peoplesFiles, sightings, variants, results, companions, confirmedRemovals, knownRecords, removed,
        formats, lenses, selections, albums, revisions, ratings, keywords, numbers,
        captures, renderTimes, renditionsOfAssets, sortedAssets, exifFacts,
    ]

    package static let schema = Schema(migrations, onServer: tablesOnServer)

    /// Content:
    /// - `recipes`: edits as adjustment data, one row for each recipe.
    /// - `renditions`: the result of (asset, frame, recipe, engine) as its XMP describes it, with the hashes of its
    ///   files. The column `finished` is bookkeeping and orders the renditions of a look: the precedence from the
    ///   ledger (see `Job.precedence`), or from versions without it the time in milliseconds since 1970.
    /// - `copies`: RAWs copied into the library.
    /// - `tree`: the files in `photos/`. A variant of an asset (column `look`) has its current rendition; '' is the
    ///   RAW's copy.
    /// - `displaced`: all names that a file of the tree would accept, if it did not get its first choice.
    ///
    /// Bookkeeping:
    /// - `offsets`: the consumed offsets of each broker's topics, written in the transaction of the result.
    /// - `unsettled`: names of the tree whose files may not match `tree` until the links are made.
    /// - `removals`: sources to remove because they were moved here.
    private static let first = Migration(
        """
        CREATE TABLE recipes (
            recipe BLOB PRIMARY KEY, look TEXT NOT NULL, look_version INTEGER NOT NULL,
            format_identifier TEXT NOT NULL, format_version TEXT NOT NULL, data TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE renditions (
            key BLOB NOT NULL UNIQUE, asset BLOB NOT NULL, frame INTEGER NOT NULL,
            recipe BLOB NOT NULL REFERENCES recipes(recipe), engine INTEGER NOT NULL,
            photo_sha256 BLOB NOT NULL, photo_bytes INTEGER NOT NULL, photo_width INTEGER, photo_height INTEGER,
            preview_sha256 BLOB, preview_bytes INTEGER, preview_width INTEGER, preview_height INTEGER,
            original_root TEXT NOT NULL, original_path BLOB NOT NULL,
            original_bytes INTEGER NOT NULL, original_modified INTEGER NOT NULL,
            companion_root TEXT, companion_path BLOB, companion_bytes INTEGER, companion_modified INTEGER,
            companion_sha256 BLOB,
            degraded TEXT, captured TEXT, make TEXT NOT NULL, model TEXT NOT NULL, photo_base BLOB NOT NULL,
            finished INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX renditions_of_asset ON renditions(asset, frame);
        CREATE TABLE copies (
            asset BLOB PRIMARY KEY, extension TEXT NOT NULL, bytes INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE tree (
            asset BLOB NOT NULL, frame INTEGER NOT NULL, look TEXT NOT NULL, key BLOB,
            path BLOB NOT NULL UNIQUE, PRIMARY KEY (asset, frame, look)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE displaced (
            path BLOB NOT NULL, asset BLOB NOT NULL, frame INTEGER NOT NULL, look TEXT NOT NULL,
            PRIMARY KEY (path, asset, frame, look)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX displaced_of_asset ON displaced(asset, frame, look);
        CREATE TABLE offsets (
            cluster TEXT NOT NULL, topic TEXT NOT NULL, partition INTEGER NOT NULL, next INTEGER NOT NULL,
            PRIMARY KEY (cluster, topic, partition)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE unsettled (path BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
        CREATE TABLE removals (
            root TEXT NOT NULL, path BLOB NOT NULL, bytes INTEGER NOT NULL, modified INTEGER NOT NULL,
            asset BLOB NOT NULL, PRIMARY KEY (root, path)
        ) STRICT, WITHOUT ROWID;
        """)

    /// Bookkeeping:
    /// - `placed`: the files that Rawmill put into `photos/`. Those of earlier versions are known by their bytes alone.
    /// - `people`: names in `photos/` that hold users' files; with asset, frame, hash and size for an adopted edit of a
    ///   photo.
    private static let peoplesFiles = Migration(
        """
        CREATE TABLE placed (
            path BLOB PRIMARY KEY, sha256 BLOB NOT NULL, inode INTEGER, bytes INTEGER, modified INTEGER, changed INTEGER
        ) STRICT, WITHOUT ROWID;
        INSERT INTO placed (path, sha256)
            SELECT t.path, coalesce(r.photo_sha256, t.asset) FROM tree t LEFT JOIN renditions r ON r.key = t.key;
        CREATE TABLE people (
            path BLOB PRIMARY KEY, asset BLOB, frame INTEGER, sha256 BLOB, bytes INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX people_of_asset ON people(asset) WHERE asset IS NOT NULL;
        """)

    /// Content:
    /// - `sightings`: every path at which an asset's RAW was seen. Its size and time there are bookkeeping.
    /// - `tree` and `displaced` have the place of a file in their keys: the path of the RAW for which it is shown
    ///   there, empty for the path that the rendition names.
    private static let sightings = Migration(
        """
        CREATE TABLE sightings (
            asset BLOB NOT NULL, root TEXT NOT NULL, path BLOB NOT NULL, bytes INTEGER NOT NULL,
            modified INTEGER NOT NULL, base BLOB NOT NULL, PRIMARY KEY (asset, root, path)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE tree RENAME TO old_tree;
        CREATE TABLE tree (
            asset BLOB NOT NULL, frame INTEGER NOT NULL, look TEXT NOT NULL, root TEXT NOT NULL, raw BLOB NOT NULL,
            key BLOB, path BLOB NOT NULL UNIQUE, PRIMARY KEY (asset, frame, look, root, raw)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO tree SELECT asset, frame, look, '', x'', key, path FROM old_tree;
        DROP TABLE old_tree;
        DROP INDEX displaced_of_asset;
        ALTER TABLE displaced RENAME TO old_displaced;
        CREATE TABLE displaced (
            path BLOB NOT NULL, asset BLOB NOT NULL, frame INTEGER NOT NULL, look TEXT NOT NULL, root TEXT NOT NULL,
            raw BLOB NOT NULL, PRIMARY KEY (path, asset, frame, look, root, raw)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO displaced SELECT path, asset, frame, look, '', x'' FROM old_displaced;
        DROP TABLE old_displaced;
        CREATE INDEX displaced_of_asset ON displaced(asset, frame, look);
        """)

    /// Turns the column `look` of the tree into the variant: the look, then size, quality and colour space unless they
    /// are the defaults. Photos keep their names.
    private static let variants = Migration(
        """
        CREATE TEMP TABLE labels AS
        WITH cut AS (
            SELECT recipe, look, substr(data, instr(data, 'long-edge=') + 10) AS edge,
                substr(data, instr(data, char(10) || 'quality=') + 9) AS quality,
                substr(data, instr(data, 'colour-space=') + 13) AS space
            FROM recipes WHERE format_identifier = 'org.rawmill.recipe' AND format_version = '1.0'),
        fields AS (
            SELECT recipe, look, substr(edge, 1, instr(edge, char(10)) - 1) AS edge,
                substr(quality, 1, instr(quality, char(10)) - 1) AS quality,
                substr(space, 1, instr(space, char(10)) - 1) AS space
            FROM cut)
        SELECT t.asset AS asset, t.frame AS frame, t.look AS look,
            f.look || iif(f.edge = 'full', '', '.' || f.edge || 'px')
                || iif(f.quality = '92', '', '.q' || f.quality)
                || iif(f.space = 'srgb', '', '.' || f.space) AS variant
        FROM tree t JOIN renditions r ON r.key = t.key JOIN fields f ON f.recipe = r.recipe;
        DELETE FROM labels WHERE look = variant;
        UPDATE displaced SET look = l.variant FROM labels l
            WHERE l.asset = displaced.asset AND l.frame = displaced.frame AND l.look = displaced.look;
        UPDATE tree SET look = l.variant FROM labels l
            WHERE l.asset = tree.asset AND l.frame = tree.frame AND l.look = tree.look;
        DROP TABLE labels;
        """)

    /// Bookkeeping:
    /// - `results`: records for the results topic, until they are known to be durable there.
    /// - `precedence`: the highest one in `renditions`.
    private static let results = Migration(
        """
        CREATE TABLE results (id INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL) STRICT;
        CREATE TABLE precedence (one INTEGER PRIMARY KEY CHECK (one = 1), highest INTEGER NOT NULL) STRICT;
        INSERT INTO precedence SELECT 1, coalesce(max(finished), 0) FROM renditions;
        """)

    /// `people.companion` is 1 for a companion of a RAW.
    private static let companions = Migration(
        """
        ALTER TABLE people ADD COLUMN companion INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX renditions_at ON renditions(original_path);
        """)

    /// `removals.confirmed` is 1 when the coordinator has reported that the job was accepted with `move`. Earlier
    /// versions recorded only such removals.
    private static let confirmedRemovals = Migration(
        "ALTER TABLE removals ADD COLUMN confirmed INTEGER NOT NULL DEFAULT 1;")

    /// `offsets.known_offset` and `known_ms`: offset and time of a consumed record, which identify the topic later.
    private static let knownRecords = Migration(
        "ALTER TABLE offsets ADD COLUMN known_offset INTEGER; ALTER TABLE offsets ADD COLUMN known_ms INTEGER;")

    /// Bookkeeping:
    /// - `removed`: renditions that a user removed from the library and that were not rendered again since.
    /// - `doomed`: files that no row refers to, until they are deleted.
    private static let removed = Migration(
        """
        CREATE TABLE removed (
            key BLOB PRIMARY KEY, asset BLOB NOT NULL, recipe BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX removed_of_asset ON removed(asset, recipe);
        CREATE TABLE doomed (path BLOB PRIMARY KEY, sha256 BLOB NOT NULL) STRICT, WITHOUT ROWID;
        """)

    /// Keys of renditions have one byte more if the photo is not a JPEG (`RenditionKey.bytes`). No table changes, but
    /// earlier versions cannot read such keys and must not open the library.
    private static let formats = Migration("UPDATE precedence SET highest = highest;")

    /// Content: the lens corrections, or why there are none.
    private static let lenses = Migration("ALTER TABLE renditions ADD COLUMN lens TEXT;")

    /// Indexes for `SelectionCompiler`; the one on recipes also tells whether a recipe is in use.
    private static let selections = Migration(
        """
        CREATE INDEX renditions_by_captured ON renditions(captured);
        CREATE INDEX renditions_by_model ON renditions(lower(model));
        CREATE INDEX renditions_by_camera ON renditions(lower(make || ' ' || model));
        CREATE INDEX renditions_by_recipe ON renditions(recipe);
        CREATE INDEX renditions_degraded ON renditions(degraded) WHERE degraded IS NOT NULL;
        """)

    /// Users' albums, which photos do not record: a rebuild copies them from the old database.
    /// - `albums`: their names.
    /// - `album_members`: their photos, ordered by position, with gaps.
    private static let albums = Migration(
        """
        CREATE TABLE albums (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE album_members (
            album INTEGER NOT NULL REFERENCES albums(id), asset BLOB NOT NULL, frame INTEGER NOT NULL,
            position INTEGER NOT NULL, PRIMARY KEY (album, asset, frame)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX album_members_in_order ON album_members(album, position);
        CREATE INDEX album_members_of_asset ON album_members(asset);
        """)

    /// Bookkeeping of users' choices:
    /// - `renditions.held`: 1 if `photos/` shows the rendition only where it was chosen: only an edit asked for it
    ///   (`finished` is 0 then), or its photo got another look since.
    /// - `revisions`: the history of a file in `photos/`, numbered from 1. `parent` is the revision it was made from.
    /// - `choices`: the revision that a user chose. It is shown until a rendition of a higher precedence arrives.
    private static let revisions = Migration(
        """
        ALTER TABLE renditions ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE revisions (
            asset BLOB NOT NULL, frame INTEGER NOT NULL, look TEXT NOT NULL, number INTEGER NOT NULL,
            key BLOB NOT NULL, parent INTEGER, PRIMARY KEY (asset, frame, look, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE choices (
            asset BLOB NOT NULL, frame INTEGER NOT NULL, look TEXT NOT NULL, number INTEGER NOT NULL,
            key BLOB NOT NULL, precedence INTEGER NOT NULL, PRIMARY KEY (asset, frame, look)
        ) STRICT, WITHOUT ROWID;
        """)

    /// The stars in the photo's XMP. NULL in rows of earlier versions until the photo is rendered again or the library
    /// is rebuilt, and therefore not content.
    private static let ratings = Migration(
        """
        ALTER TABLE renditions ADD COLUMN rating INTEGER;
        CREATE INDEX renditions_by_rating ON renditions(rating) WHERE rating <> 0;
        """,
        onServer: """
            ALTER TABLE renditions ADD COLUMN rating bigint;
            CREATE INDEX renditions_by_rating ON renditions(rating) WHERE rating <> 0;
            """)

    /// `renditions.keywords` has the keywords in the photo's XMP, one a line; like ratings it may be NULL and is not
    /// content. The table finds renditions by keyword and is derived from that column.
    private static let keywords = Migration(
        """
        ALTER TABLE renditions ADD COLUMN keywords TEXT;
        CREATE TABLE keywords (key BLOB NOT NULL, word TEXT NOT NULL, PRIMARY KEY (key, word)) STRICT, WITHOUT ROWID;
        CREATE INDEX keywords_by_word ON keywords(lower(word), key);
        """,
        onServer: """
            ALTER TABLE renditions ADD COLUMN keywords text COLLATE "C";
            \(keywordsOnServer)
            """)

    /// Orders the photos of a recipe by capture and adds the RAWs' numbers to both indexes. Adds an index on the number
    /// of pixels, of which cameras have few different values.
    private static let captures = Migration(
        """
        DROP INDEX renditions_by_captured;
        DROP INDEX renditions_by_recipe;
        CREATE INDEX renditions_by_captured ON renditions(captured, asset);
        CREATE INDEX renditions_by_recipe ON renditions(recipe, captured, asset);
        CREATE INDEX renditions_by_pixels ON renditions(photo_width * photo_height);
        """, onServer: capturesOnServer)

    /// Bookkeeping: render times by camera and engine, about the last thousand of each; see `RenderTimeTable`.
    private static let renderTimes = Migration(
        """
        CREATE TABLE IF NOT EXISTS render_times (
            camera TEXT NOT NULL, engine INTEGER NOT NULL, photos INTEGER NOT NULL, microseconds INTEGER NOT NULL,
            PRIMARY KEY (camera, engine)
        ) STRICT, WITHOUT ROWID;
        """, onServer: renderTimesOnServer)

    /// EXIF facts of photos; like ratings they may be NULL and are not content.
    private static let exifFacts = Migration(
        FactColumns.additions(exifKeys, isOnServer: false), onServer: exifFactsOnServer)
    static let exifFactsOnServer = FactColumns.additions(exifKeys, isOnServer: true)
    private static let exifKeys = [
        "lensName", "exposureSeconds", "aperture", "iso", "focalLength", "focalLength35",
    ]

    /// The columns that a rebuild reproduces from the photos alone, by table, and the columns that order the rows.
    package static let content: [(table: String, columns: String, order: String)] = [
        ("recipes", "recipe look look_version format_identifier format_version data", "recipe"),
        (
            "renditions",
            """
            key asset frame recipe engine photo_sha256 photo_bytes photo_width photo_height preview_sha256 \
            preview_bytes preview_width preview_height original_root original_path original_bytes \
            companion_root companion_path companion_bytes companion_sha256 degraded captured make \
            model photo_base lens
            """, "key"
        ),
        ("copies", "asset extension bytes", "asset"),
        ("sightings", "asset root path base", "asset, root, path"),
        ("tree", "asset frame look root raw key path", "asset, frame, look, root, raw"),
        ("displaced", "path asset frame look root raw", "path, asset, frame, look, root, raw"),
    ]
}
