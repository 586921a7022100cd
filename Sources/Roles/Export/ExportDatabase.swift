internal import Database
internal import Digest
internal import Jobs
internal import Manifests

/// A frame of a job. Its photo has one place in the export's folder.
struct ExportedFrame: Hashable {
    let job: JobID
    let frame: UInt32
}

struct ExportedPhoto: Hashable {
    enum State: Int {
        /// The name is reserved; the file may or may not exist.
        case claimed = 0
        case placed = 1
        /// Another file has the name and is kept.
        case skipped = 2
        /// The photo could not be placed, or a newer photo of the same RAW took its place.
        case missing = 3
        /// Like `claimed`, but the name belongs to another file, which is being replaced.
        case replacing = 4
    }

    let frame: ExportedFrame
    let round: UInt32
    let source: FileReference
    /// Below the export's folder.
    let path: [UInt8]
    let digest: SHA256Value
    let state: State
}

/// The export's state, `export.sqlite` in its state folder: the photos' names, how each batch's photos are named, and
/// the offsets of read manifests.
struct ExportDatabase {
    static let fileName = "export.sqlite"
    private let connection: Connection

    private static let schema = [
        Migration(
            """
            CREATE TABLE orders(
                batch BLOB PRIMARY KEY, template TEXT NOT NULL, conflict TEXT NOT NULL, label TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE folders(
                batch BLOB NOT NULL REFERENCES orders, root TEXT NOT NULL, path BLOB NOT NULL, prefix BLOB NOT NULL,
                PRIMARY KEY(batch, root, path)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE photos(
                job BLOB NOT NULL, frame INTEGER NOT NULL, round INTEGER NOT NULL, root TEXT NOT NULL,
                source BLOB NOT NULL, path BLOB NOT NULL, sha256 BLOB NOT NULL,
                state INTEGER NOT NULL CHECK(state BETWEEN 0 AND 4), PRIMARY KEY(job, frame)
            ) STRICT, WITHOUT ROWID;
            -- Of the photos that have or are about to get a name, each has its own.
            CREATE UNIQUE INDEX photos_by_path ON photos(path) WHERE state < 2;
            CREATE INDEX photos_by_digest ON photos(sha256) WHERE state = 1;
            CREATE TABLE offsets(
                cluster TEXT NOT NULL, partition INTEGER NOT NULL, next INTEGER NOT NULL,
                PRIMARY KEY(cluster, partition)
            ) STRICT, WITHOUT ROWID;
            """),
        Migration("CREATE INDEX photos_by_source ON photos(source)"),
    ]

    init(path: String) throws {
        connection = try Connection(path: path)
        try connection.migrate(Self.schema)
    }

    func transaction<Value>(_ body: () throws -> Value) throws -> Value { try connection.transaction(body) }

    // MARK: Orders

    func insert(_ order: ExportOrder, of batch: BatchID) throws {
        try connection.run(
            "INSERT OR REPLACE INTO orders VALUES (?, ?, ?, ?)", batch.bytes, order.template.description,
            order.conflict.rawValue, order.label)
        for folder in order.folders {
            try connection.run(
                "INSERT OR REPLACE INTO folders VALUES (?, ?, ?, ?)", batch.bytes, folder.root.text, folder.path,
                folder.prefix)
        }
    }

    func order(of batch: BatchID) throws -> ExportOrder? {
        let found = try connection.first(
            "SELECT template, conflict, label FROM orders WHERE batch = ?", batch.bytes
        ) { ($0.text(0), $0.text(1), $0.text(2)) }
        guard let found, let template = try? NameTemplate(found.0) else { return nil }
        let folders: [ExportOrder.Folder?] = try connection.all(
            "SELECT root, path, prefix FROM folders WHERE batch = ?", batch.bytes
        ) { row in
            RootName(row.text(0)).map { ExportOrder.Folder(root: $0, path: row.blob(1), prefix: row.blob(2)) }
        }
        return ExportOrder(
            template: template, conflict: NameConflict(rawValue: found.1) ?? .rename, label: found.2,
            folders: folders.compactMap { $0 })
    }

    // MARK: Photos

    private static let columns = "job, frame, round, root, source, path, sha256, state"

    func photo(_ frame: ExportedFrame) throws -> ExportedPhoto? {
        try connection.first(
            "SELECT \(Self.columns) FROM photos WHERE job = ? AND frame = ?", frame.job.digest.bytes, frame.frame,
            make: Self.photo) ?? nil
    }

    func photo(at path: [UInt8]) throws -> ExportedPhoto? {
        try connection.first(
            "SELECT \(Self.columns) FROM photos WHERE path = ? AND state < 2", path, make: Self.photo) ?? nil
    }

    func placed(_ digest: SHA256Value) throws -> [ExportedPhoto] {
        let found: [ExportedPhoto?] = try connection.all(
            "SELECT \(Self.columns) FROM photos WHERE sha256 = ? AND state = 1", digest.bytes, make: Self.photo)
        return found.compactMap { $0 }
    }

    /// Placed photos of a frame of a RAW, in all its states and settings.
    func placed(_ source: FileReference, frame: UInt32) throws -> [ExportedPhoto] {
        let found: [ExportedPhoto?] = try connection.all(
            """
            SELECT \(Self.columns) FROM photos
            WHERE source = ? AND root = ? AND frame = ? AND state = 1 ORDER BY path
            """, source.path.bytes, source.root.text, frame, make: Self.photo)
        return found.compactMap { $0 }
    }

    /// Whether the bytes are those of a photo of this RAW, in any state.
    func knows(_ digest: SHA256Value, of source: FileReference) throws -> Bool {
        try connection.first(
            "SELECT 1 FROM photos WHERE source = ? AND root = ? AND sha256 = ?", source.path.bytes, source.root.text,
            digest.bytes
        ) { _ in true } ?? false
    }

    func each(_ body: (ExportedPhoto) throws -> Void) throws {
        try connection.each("SELECT \(Self.columns) FROM photos ORDER BY path") { row in
            if let photo = try Self.photo(row) { try body(photo) }
        }
    }

    func set(_ photo: ExportedPhoto) throws {
        try connection.run(
            """
            INSERT INTO photos VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(job, frame) DO UPDATE SET
                round = excluded.round, root = excluded.root, source = excluded.source, path = excluded.path,
                sha256 = excluded.sha256, state = excluded.state
            """, photo.frame.job.digest.bytes,
            photo.frame.frame, photo.round, photo.source.root.text, photo.source.path.bytes, photo.path,
            photo.digest.bytes, photo.state.rawValue)
    }

    func set(_ state: ExportedPhoto.State, of frame: ExportedFrame) throws {
        try connection.run(
            "UPDATE photos SET state = ? WHERE job = ? AND frame = ?", state.rawValue, frame.job.digest.bytes,
            frame.frame)
    }

    private static func photo(_ row: borrowing Row) throws -> ExportedPhoto? {
        guard let job = SHA256Value(bytes: row.blob(0)), let root = RootName(row.text(3)),
            let source = RelativePath(bytes: row.blob(4)), let digest = SHA256Value(bytes: row.blob(6)),
            let state = ExportedPhoto.State(rawValue: Int(row.integer(7)))
        else { return nil }
        return ExportedPhoto(
            frame: ExportedFrame(job: JobID(digest: job), frame: UInt32(clamping: row.integer(1))),
            round: UInt32(clamping: row.integer(2)), source: FileReference(root: root, path: source),
            path: row.blob(5), digest: digest, state: state)
    }

    // MARK: Offsets

    /// By partition, the next manifest to read from this broker.
    func offsets(of cluster: String) throws -> [Int32: Int64] {
        let rows = try connection.all("SELECT partition, next FROM offsets WHERE cluster = ?", cluster) {
            (Int32(clamping: $0.integer(0)), $0.integer(1))
        }
        return Dictionary(rows) { $1 }
    }

    func note(_ offsets: [Int32: Int64], of cluster: String) throws {
        for (partition, next) in offsets {
            try connection.run("INSERT OR REPLACE INTO offsets VALUES (?, ?, ?)", cluster, partition, next)
        }
    }
}
