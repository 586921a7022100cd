/// The tables of version 0.1.0, as in its databases (`.schema` of sqlite3): all steps of its migrations. They never
/// change.
enum FirstSchemas {
    /// Of `library.sqlite`.
    static let library = (tables: libraryTables, rules: "")
    /// Of `.rawmill/coordinator.sqlite`. The rules guard state transitions of jobs: rows moved as a whole are inserted
    /// before them.
    static let ledger = (tables: ledgerTables, rules: ledgerRules)

    private static let libraryTables = """
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
        """

    private static let ledgerTables = """
        CREATE TABLE roots(
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            path BLOB NOT NULL UNIQUE);
        CREATE TABLE recipes(
            id INTEGER PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            text TEXT NOT NULL);
        CREATE TABLE looks(
            name TEXT NOT NULL,
            version INTEGER NOT NULL CHECK(version > 0),
            digest BLOB NOT NULL,
            PRIMARY KEY(name, version), UNIQUE(name, digest)) WITHOUT ROWID;
        CREATE TABLE batches(
            id INTEGER PRIMARY KEY,
            batch BLOB NOT NULL UNIQUE,
            submitted_ms INTEGER NOT NULL,
            recipe INTEGER NOT NULL REFERENCES recipes,
            lane INTEGER NOT NULL,
            originals TEXT NOT NULL,
            engine INTEGER NOT NULL,
            traceparent TEXT,
            state INTEGER NOT NULL DEFAULT 0 CHECK(state BETWEEN 0 AND 3),
            accepted INTEGER NOT NULL DEFAULT 0,
            open INTEGER NOT NULL DEFAULT 0 CHECK(open >= 0),
            catalogued INTEGER NOT NULL DEFAULT 0 CHECK(catalogued >= 0),
            degraded INTEGER NOT NULL DEFAULT 0 CHECK(degraded >= 0),
            failed INTEGER NOT NULL DEFAULT 0 CHECK(failed >= 0),
            cancelled INTEGER NOT NULL DEFAULT 0 CHECK(cancelled >= 0), epoch INTEGER NOT NULL DEFAULT 0,
            CHECK(accepted = open + catalogued + degraded + failed + cancelled));
        CREATE TABLE jobs(
            seq INTEGER PRIMARY KEY,
            root INTEGER NOT NULL REFERENCES roots,
            path BLOB NOT NULL,
            id BLOB NOT NULL,
            batch INTEGER NOT NULL REFERENCES batches,
            recipe INTEGER NOT NULL REFERENCES recipes,
            state INTEGER NOT NULL CHECK(state BETWEEN 0 AND 5),
            round INTEGER NOT NULL DEFAULT 0,
            sends INTEGER NOT NULL DEFAULT 0,
            attempts INTEGER NOT NULL DEFAULT 0,
            finished_ms INTEGER,
            size INTEGER NOT NULL, modified_ns INTEGER NOT NULL,
            sidecar BLOB, sidecar_size INTEGER, sidecar_modified_ns INTEGER,
            companion BLOB, companion_size INTEGER, companion_modified_ns INTEGER,
            base BLOB NOT NULL,
            reason TEXT, message TEXT, signal INTEGER, asset BLOB,
            UNIQUE(root, path, id),
            CHECK((state = 4) = (reason IS NOT NULL)));
        CREATE INDEX waiting ON jobs(batch, seq) WHERE state = 0;
        CREATE INDEX sent ON jobs(batch, seq) WHERE state = 1;
        CREATE INDEX failed ON jobs(reason, seq) WHERE state = 4;
        CREATE TABLE offsets(
            partition INTEGER PRIMARY KEY,
            next INTEGER NOT NULL);
        CREATE TABLE cluster(
            one INTEGER PRIMARY KEY CHECK(one = 1),
            id TEXT NOT NULL);
        CREATE TABLE orders(
            id INTEGER PRIMARY KEY,
            batch BLOB NOT NULL UNIQUE,
            lane INTEGER NOT NULL,
            record BLOB NOT NULL,
            traceparent TEXT,
            state INTEGER NOT NULL DEFAULT 0 CHECK(state BETWEEN 0 AND 3),
            problem TEXT,
            unchanged INTEGER NOT NULL DEFAULT 0,
            failed_before INTEGER NOT NULL DEFAULT 0,
            unreadable INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX orders_waiting ON orders(lane, id) WHERE state = 0;
        CREATE TABLE control_offsets(
            cluster TEXT NOT NULL,
            partition INTEGER NOT NULL,
            next INTEGER NOT NULL,
            PRIMARY KEY(cluster, partition)) WITHOUT ROWID;
        CREATE TABLE operator(
            one INTEGER PRIMARY KEY CHECK(one = 1),
            paused INTEGER NOT NULL,
            resumes INTEGER NOT NULL);
        CREATE TABLE sent_offsets(
            topic TEXT NOT NULL,
            partition INTEGER NOT NULL,
            next INTEGER NOT NULL,
            PRIMARY KEY(topic, partition)) WITHOUT ROWID;
        """

    private static let ledgerRules = """
        CREATE TRIGGER job_accepted AFTER INSERT ON jobs BEGIN
            UPDATE batches SET accepted = accepted + 1, open = open + (NEW.state < 2),
                catalogued = catalogued + (NEW.state = 2), degraded = degraded + (NEW.state = 3),
                failed = failed + (NEW.state = 4), cancelled = cancelled + (NEW.state = 5)
            WHERE id = NEW.batch;
        END;
        CREATE TRIGGER job_moved AFTER UPDATE OF state ON jobs
        WHEN OLD.batch = NEW.batch AND max(OLD.state, 1) <> max(NEW.state, 1) BEGIN
            UPDATE batches SET open = open + (NEW.state < 2) - (OLD.state < 2),
                catalogued = catalogued + (NEW.state = 2) - (OLD.state = 2),
                degraded = degraded + (NEW.state = 3) - (OLD.state = 3),
                failed = failed + (NEW.state = 4) - (OLD.state = 4),
                cancelled = cancelled + (NEW.state = 5) - (OLD.state = 5)
            WHERE id = NEW.batch;
        END;
        CREATE TRIGGER job_accepted_again AFTER UPDATE OF batch ON jobs WHEN OLD.batch <> NEW.batch BEGIN
            UPDATE batches SET accepted = accepted + 1, open = open + 1 WHERE id = NEW.batch;
        END;
        CREATE TRIGGER job_way BEFORE UPDATE OF state, batch ON jobs
        WHEN iif(OLD.batch <> NEW.batch, OLD.state < 2 OR NEW.state <> 0,
            (OLD.state IN (2, 3) AND NEW.state <> OLD.state)
            OR (OLD.state = 4 AND NEW.state IN (1, 5))
            OR (OLD.state = 5 AND NEW.state IN (1, 4))) BEGIN
            SELECT RAISE(ABORT, 'a job cannot go that way');
        END;
        CREATE TRIGGER job_kept BEFORE DELETE ON jobs BEGIN
            SELECT RAISE(ABORT, 'a job is never forgotten');
        END;
        """
}
