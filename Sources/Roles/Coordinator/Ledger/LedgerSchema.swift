internal import Database

/// The ledger's database. Its constraints and triggers guarantee that in every batch, after every statement, accepted =
/// open + catalogued + degraded + failed + cancelled; that a job is never deleted; and that catalogued is final unless
/// a later batch requests the job again, or a retry its failed frames.
enum LedgerSchema {
    static let migrations = [
        Migration(tables), Migration(rules), Migration(service), Migration(assets), Migration(sent),
        Migration(rootSamples), Migration(results), Migration(removals), Migration(knownRecords), Migration(leftOut),
        Migration(sourceParts), Migration(reused), Migration(deadLetters), Migration(removed), Migration(families),
        Migration(failedFrames), Migration(held), Migration(withoutProfile),
    ]

    private static let tables = """
        CREATE TABLE roots(
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            path BLOB NOT NULL UNIQUE);
        -- The library's own root: wherever the library is now.
        INSERT INTO roots VALUES (0, 'library', x'');

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
            cancelled INTEGER NOT NULL DEFAULT 0 CHECK(cancelled >= 0),
            CHECK(accepted = open + catalogued + degraded + failed + cancelled));

        -- Sidecar and companion stand in the RAW's folder, so their names say where they are.
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
            reason TEXT, message TEXT, signal INTEGER,
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
        """

    /// State of a coordinator that runs as a service: its orders, the offsets of each cluster's control topic (a ledger
    /// that returns to a cluster does not repeat old commands), and whether operators paused everything. A batch's
    /// epoch rises whenever its records in the broker become out of date.
    private static let service = """
        ALTER TABLE batches ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;

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
        INSERT INTO operator VALUES (1, 0, 0);
        """

    /// The identity of each ended job's RAW, so that an audit finds its photo even if the RAW was moved.
    private static let assets = "ALTER TABLE jobs ADD COLUMN asset BLOB"

    /// The offsets below which every job in a jobs topic is marked as sent.
    private static let sent = """
        CREATE TABLE sent_offsets(
            topic TEXT NOT NULL,
            partition INTEGER NOT NULL,
            next INTEGER NOT NULL,
            PRIMARY KEY(topic, partition)) WITHOUT ROWID;
        """

    /// A sample of each root when it was last recognised: a `RootStatus`.
    private static let rootSamples = """
        CREATE TABLE root_samples(
            root INTEGER PRIMARY KEY REFERENCES roots,
            record BLOB NOT NULL);
        """

    /// Jobs end with the cataloguer's results. `offsets` stores how far it has answered the manifests topic, and
    /// `result_offsets` how far its answers were read. A refused job is in state 1, published, until it is due; it
    /// keeps the reason and the number of refusals. `precedence` orders the edits of a photo, see `Job.precedence`:
    /// earlier batches get the time at which their last job ended, and open ones come after all others.
    private static let results = """
        DELETE FROM offsets;
        CREATE TABLE result_offsets(
            partition INTEGER PRIMARY KEY,
            next INTEGER NOT NULL);

        ALTER TABLE jobs ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE jobs ADD COLUMN refusal TEXT;
        ALTER TABLE jobs ADD COLUMN refusal_message TEXT;
        ALTER TABLE jobs ADD COLUMN due_ms INTEGER;
        CREATE INDEX refused ON jobs(batch, seq) WHERE refusals > 0 AND state < 2;
        CREATE INDEX due ON jobs(due_ms) WHERE state = 1 AND due_ms IS NOT NULL;
        CREATE INDEX degraded ON jobs(seq) WHERE state = 3;

        ALTER TABLE batches ADD COLUMN precedence INTEGER NOT NULL DEFAULT 0;
        UPDATE batches SET precedence = submitted_ms;
        UPDATE batches SET precedence = ended.last
            FROM (SELECT batch, max(finished_ms) AS last FROM jobs WHERE finished_ms IS NOT NULL GROUP BY batch) AS ended
            WHERE ended.batch = batches.id;
        UPDATE batches SET precedence = id + max((SELECT max(precedence) FROM batches),
            CAST(strftime('%s', 'now') AS INTEGER) * 1000) WHERE open > 0;
        CREATE TABLE precedence(
            one INTEGER PRIMARY KEY CHECK(one = 1),
            highest INTEGER NOT NULL);
        INSERT INTO precedence SELECT 1, coalesce(max(precedence), 0) FROM batches;

        ALTER TABLE orders ADD COLUMN links INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE orders ADD COLUMN missing INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE orders ADD COLUMN not_raw INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE problems(
            batch BLOB NOT NULL,
            path BLOB NOT NULL,
            message TEXT NOT NULL,
            PRIMARY KEY(batch, path)) WITHOUT ROWID;
        """

    /// Records for the removals topic, until they are durable there.
    private static let removals = "CREATE TABLE removals(id INTEGER PRIMARY KEY AUTOINCREMENT, record BLOB NOT NULL)"

    /// A record of each topic that was read, with its time, to recognise the topic.
    private static let knownRecords = """
        ALTER TABLE result_offsets ADD COLUMN known_offset INTEGER;
        ALTER TABLE result_offsets ADD COLUMN known_ms INTEGER;
        ALTER TABLE control_offsets ADD COLUMN known_offset INTEGER;
        ALTER TABLE control_offsets ADD COLUMN known_ms INTEGER;
        """

    /// Files that plans leave out, by kind. The kinds of an earlier version's files are derived from their messages.
    /// The indices find a batch's failed and degraded jobs without reading the others.
    private static let leftOut = """
        CREATE TABLE plans(
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            batch BLOB NOT NULL UNIQUE);
        CREATE TABLE left_out(
            plan INTEGER NOT NULL,
            kind TEXT NOT NULL,
            path BLOB NOT NULL,
            message TEXT NOT NULL,
            PRIMARY KEY(plan, kind, path)) WITHOUT ROWID;
        CREATE TABLE left_out_counts(
            plan INTEGER NOT NULL,
            kind TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY(plan, kind)) WITHOUT ROWID;
        INSERT INTO plans(batch) SELECT DISTINCT batch FROM problems;
        INSERT INTO left_out SELECT plans.id,
            CASE WHEN message LIKE '% is a link to %' THEN 'link' WHEN message LIKE '% is not there. %' THEN 'missing'
                ELSE 'unreadable' END, path, message
            FROM problems JOIN plans ON plans.batch = problems.batch;
        INSERT INTO left_out_counts SELECT plan, kind, count(*) FROM left_out GROUP BY plan, kind;
        DROP TABLE problems;

        CREATE INDEX failed_of_batch ON jobs(batch, seq) WHERE state = 4;
        CREATE INDEX degraded_of_batch ON jobs(batch, seq) WHERE state = 3;
        """

    /// Sources of orders that have too many for one record, until the order is planned.
    private static let sourceParts = """
        CREATE TABLE source_parts(
            batch BLOB NOT NULL,
            number INTEGER NOT NULL,
            arrived_ms INTEGER NOT NULL,
            record BLOB NOT NULL,
            PRIMARY KEY(batch, number)) WITHOUT ROWID;
        """

    /// `jobs.removed` is 1 if a user removed the job's photos from the library, or the library deleted the job's path.
    private static let removed = "ALTER TABLE jobs ADD COLUMN removed INTEGER NOT NULL DEFAULT 0"

    /// Why some frames of a job failed whose other frames have photos; NULL for all other jobs. It stays while a retry
    /// keeps the job open: a job with photos in the library is degraded again if the retry fails or is cancelled. An
    /// earlier version stored the reason only in the message.
    private static let failedFrames = """
        ALTER TABLE jobs ADD COLUMN frames_reason TEXT;
        ALTER TABLE jobs ADD COLUMN frames_message TEXT;
        UPDATE jobs SET frames_reason = '', frames_message = message
            WHERE state = 3 AND message GLOB '[0-9]* of [0-9]* frames became photos. *';
        DROP TRIGGER job_way;
        CREATE TRIGGER job_way BEFORE UPDATE OF state, batch ON jobs
        WHEN iif(OLD.batch <> NEW.batch, OLD.state < 2 OR NEW.state <> 0,
            (OLD.state IN (2, 3) AND NEW.state <> OLD.state
                AND NOT (OLD.state = 3 AND NEW.state = 0 AND OLD.frames_message IS NOT NULL))
            OR (OLD.state = 4 AND NEW.state IN (1, 5))
            OR (OLD.state = 5 AND NEW.state IN (1, 4))) BEGIN
            SELECT RAISE(ABORT, 'a job cannot go that way');
        END;
        """

    /// 1 for a batch whose photos are not shown until a user chooses them.
    private static let held = "ALTER TABLE batches ADD COLUMN held INTEGER NOT NULL DEFAULT 0"

    /// The camera of a photo that lacks its requested camera profile; NULL for all others.
    private static let withoutProfile = """
        ALTER TABLE jobs ADD COLUMN without_profile TEXT;
        CREATE INDEX without_profile_of_batch ON jobs(batch, seq) WHERE without_profile IS NOT NULL;
        """

    /// Photos of a batch that were already in the library.
    private static let reused = "ALTER TABLE batches ADD COLUMN reused INTEGER NOT NULL DEFAULT 0"

    /// Dead letters until they are durable in their topic, with the topic's end before each was sent.
    private static let deadLetters = """
        CREATE TABLE dead_letters(
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            key BLOB NOT NULL,
            value BLOB NOT NULL,
            traceparent TEXT,
            sent_from INTEGER)
        """

    /// Batches and orders of one request, which differ only in their recipes, are a family named after the first. The
    /// jobs of a family are sent photo by photo.
    private static let families = """
        ALTER TABLE batches ADD COLUMN family BLOB;
        CREATE INDEX families ON batches(family) WHERE family IS NOT NULL;
        ALTER TABLE orders ADD COLUMN family BLOB;
        UPDATE orders SET family = batch;
        CREATE INDEX order_families ON orders(family);
        """

    /// States are the raw values of `JobState`. A job that another batch accepts again still counts where it ended.
    private static let rules = """
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
