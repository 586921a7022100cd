internal import Database

enum BrokerSchema {
    /// A record's `place` is its partition's id and its offset in one number, so that a partition is one range of the
    /// table's key: appended at its end, read in order, trimmed from its start.
    static let migrations = [
        Migration(
            """
            CREATE TABLE clusters (id TEXT NOT NULL) STRICT;
            CREATE TABLE topics (
                name TEXT PRIMARY KEY, retention TEXT NOT NULL, largest_bytes INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE partitions (
                id INTEGER PRIMARY KEY, topic TEXT NOT NULL REFERENCES topics (name), partition INTEGER NOT NULL,
                next_offset INTEGER NOT NULL, UNIQUE (topic, partition)
            ) STRICT;
            CREATE TABLE records (
                place INTEGER PRIMARY KEY, milliseconds INTEGER NOT NULL, key BLOB NOT NULL, value BLOB, headers BLOB
            ) STRICT;
            CREATE TABLE newest (
                partition_id INTEGER NOT NULL REFERENCES partitions (id), key BLOB NOT NULL, place INTEGER NOT NULL,
                PRIMARY KEY (partition_id, key)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE committed (
                consumer_group TEXT NOT NULL, partition_id INTEGER NOT NULL REFERENCES partitions (id),
                next_offset INTEGER NOT NULL, PRIMARY KEY (consumer_group, partition_id)
            ) STRICT, WITHOUT ROWID;
            """)
    ]
}

extension Topic.Retention {
    /// As the database names it.
    var name: String {
        switch self {
        case .untilConsumed: "until-consumed"
        case .compacted: "compacted"
        case .forever: "forever"
        }
    }

    init?(name: String) {
        guard let found = [Self.untilConsumed, .compacted, .forever].first(where: { $0.name == name }) else {
            return nil
        }
        self = found
    }
}

/// A partition as the store knows it.
struct PartitionState: Hashable, Sendable {
    let id: Int64
    let retention: Topic.Retention
    /// Offset of the oldest record, and of the next one to be written.
    var first: Int64
    var next: Int64

    private static let offsetBits: Int64 = 44

    /// The table's key for an offset of this partition.
    func place(_ offset: Int64) -> Int64 { id << Self.offsetBits | offset }
    static func offset(ofPlace place: Int64) -> Int64 { place & (1 << offsetBits - 1) }
    /// One past the key of every record it can have.
    var endPlace: Int64 { (id + 1) << Self.offsetBits }
}
