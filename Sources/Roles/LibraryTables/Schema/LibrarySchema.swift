package import Database

/// The tables of `library.sqlite`, as migrations. A released migration never changes; a new one follows it.
///
/// Tables hold either content or bookkeeping. A rebuild from the files reproduces content to the last byte, so content
/// holds no clock and no counter. Bookkeeping only says how far the cataloguer is.
package enum LibrarySchema {
    static let migrations = [
        first, peoplesFiles, sightings, variants, results, companions, confirmedRemovals, knownRecords, removed,
        formats, lenses, selections, albums, revisions, ratings, keywords, numbers,
        captures, renderTimes, renditionsOfAssets, sortedAssets, exifFacts,
    ]

    package static let schema = Schema(migrations, onServer: tablesOnServer)

    /// Content:
    /// - `recipes`: the edits, as adjustment data; one row for each recipe, not for each photo.
    /// - `renditions`: the result of (asset, frame, recipe, engine) as its own XMP describes it, with the hashes of its
    ///   files. Its column `finished` is bookkeeping: it orders the renditions of a look. It holds the precedence that the
    ///   ledger gave the edit (see `Job.precedence`); of versions that had none, the time in milliseconds since 1970.
    /// - `copies`: the RAWs that were copied into the library.
    /// - `tree`: the files below `photos/`. A variant of an asset (column `look`) has its current rendition; '' is the
    ///   RAW's copy.
    /// - `displaced`: all names that a file of the tree would have accepted, if it could not get its first choice.
    ///
    /// Bookkeeping:
    /// - `offsets`: how far each broker's topics were consumed, written together with the result.
    /// - `unsettled`: names of the tree whose file may not match `tree` until the links are made.
    /// - `removals`: sources to remove, because they were moved here.
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
    /// - `placed`: the files that Rawmill put below `photos/`. Those of earlier versions are known by their bytes alone.
    /// - `people`: names below `photos/` that hold people's files; with asset, frame, hash and size for an edited photo
    ///   that was adopted.
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
    /// - `tree` and `displaced` have the place of a file in their keys: the path of the RAW for which it is shown there,
    ///   empty for the one that the rendition itself names.
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

    /// The column `look` of the tree became the variant: the look, then size, quality and colour space where they are not
    /// the usual ones. Photos keep the names they have.
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
    /// - `results`: records for the results topic that are not known to be durable there.
    /// - `precedence`: the highest one in `renditions`.
    private static let results = Migration(
        """
        CREATE TABLE results (id INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL) STRICT;
        CREATE TABLE precedence (one INTEGER PRIMARY KEY CHECK (one = 1), highest INTEGER NOT NULL) STRICT;
        INSERT INTO precedence SELECT 1, coalesce(max(finished), 0) FROM renditions;
        """)

    /// `people.companion` is 1 for a file that came with a RAW.
    private static let companions = Migration(
        """
        ALTER TABLE people ADD COLUMN companion INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX renditions_at ON renditions(original_path);
        """)

    /// `removals.confirmed` is 1 once the coordinator has said that the job was accepted with `move`. Earlier versions
    /// noted removals that way only.
    private static let confirmedRemovals = Migration(
        "ALTER TABLE removals ADD COLUMN confirmed INTEGER NOT NULL DEFAULT 1;")

    /// `offsets.known_offset` and `known_ms`: a record that was consumed and when it was sent, by which the topic is known
    /// again.
    private static let knownRecords = Migration(
        "ALTER TABLE offsets ADD COLUMN known_offset INTEGER; ALTER TABLE offsets ADD COLUMN known_ms INTEGER;")

    /// Bookkeeping:
    /// - `removed`: renditions that a person took out of the library and that were not rendered again since.
    /// - `doomed`: files that no row needs any more, until they are deleted.
    private static let removed = Migration(
        """
        CREATE TABLE removed (
            key BLOB PRIMARY KEY, asset BLOB NOT NULL, recipe BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX removed_of_asset ON removed(asset, recipe);
        CREATE TABLE doomed (path BLOB PRIMARY KEY, sha256 BLOB NOT NULL) STRICT, WITHOUT ROWID;
        """)

    /// Keys of renditions have a byte more where the photo is not a JPEG (`RenditionKey.bytes`). No table changes, but
    /// earlier versions do not know such keys, and must not open a library that may have some.
    private static let formats = Migration("UPDATE precedence SET highest = highest;")

    /// Content: what was corrected of the lens, or why nothing was.
    private static let lenses = Migration("ALTER TABLE renditions ADD COLUMN lens TEXT;")

    /// Indexes by which `SelectionCompiler` finds photos; that of recipes also says whether a recipe is still needed.
    private static let selections = Migration(
        """
        CREATE INDEX renditions_by_captured ON renditions(captured);
        CREATE INDEX renditions_by_model ON renditions(lower(model));
        CREATE INDEX renditions_by_camera ON renditions(lower(make || ' ' || model));
        CREATE INDEX renditions_by_recipe ON renditions(recipe);
        CREATE INDEX renditions_degraded ON renditions(degraded) WHERE degraded IS NOT NULL;
        """)

    /// People's own, which no photo tells: a rebuild takes them over from the old database.
    /// - `albums`: their names.
    /// - `album_members`: photographs in them; positions order them, with gaps.
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

    /// Bookkeeping of what people chose:
    /// - `renditions.held`: 1 for one that `photos/` shows only where it was chosen: that only an edit asked for (`finished` is 0
    ///   then), or whose photo was given another look since.
    /// - `revisions`: the history of a file below `photos/`, numbered from 1. `parent` is the revision it was made from.
    /// - `choices`: the revision that a person chose. It is shown until a rendition of a higher precedence comes.
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

    /// The star rating in the photo's XMP. It is NULL in rows of earlier versions until the photo is rendered again or
    /// the library is rebuilt, so it does not count as content.
    private static let ratings = Migration(
        """
        ALTER TABLE renditions ADD COLUMN rating INTEGER;
        CREATE INDEX renditions_by_rating ON renditions(rating) WHERE rating <> 0;
        """,
        onServer: """
            ALTER TABLE renditions ADD COLUMN rating bigint;
            CREATE INDEX renditions_by_rating ON renditions(rating) WHERE rating <> 0;
            """)

    /// `renditions.keywords` has those in the photo's XMP, one in each line; NULL and no content as with ratings. The table finds
    /// renditions by them: each row of it follows from that column.
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

    /// Photos of a recipe are in the order of their capture, and both indexes tell the RAWs' numbers; and an index by the
    /// numbers of pixels, of which cameras have few different ones.
    private static let captures = Migration(
        """
        DROP INDEX renditions_by_captured;
        DROP INDEX renditions_by_recipe;
        CREATE INDEX renditions_by_captured ON renditions(captured, asset);
        CREATE INDEX renditions_by_recipe ON renditions(recipe, captured, asset);
        CREATE INDEX renditions_by_pixels ON renditions(photo_width * photo_height);
        """, onServer: capturesOnServer)

    /// Bookkeeping: what photos took to render, by camera and engine, of about the last thousand each; see `RenderTimeTable`.
    private static let renderTimes = Migration(
        """
        CREATE TABLE IF NOT EXISTS render_times (
            camera TEXT NOT NULL, engine INTEGER NOT NULL, photos INTEGER NOT NULL, microseconds INTEGER NOT NULL,
            PRIMARY KEY (camera, engine)
        ) STRICT, WITHOUT ROWID;
        """, onServer: renderTimesOnServer)

    /// What EXIF says of photos; NULL and no content as with ratings.
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
