internal import Database
internal import Jobs
internal import Manifests

/// A file that a plan left out or could not read, by its absolute path.
struct LeftOutFile: Hashable, Sendable {
    let kind: FileGroup.Kind
    let path: [UInt8]
    let message: String
}

extension LeftOutFile {
    init(_ problem: WalkProblem) {
        let kind: FileGroup.Kind =
            problem.kind == .missing ? .missing : problem.isUnreadable ? .unreadable : .link
        self.init(kind: kind, path: problem.path, message: problem.description)
    }

    init(_ file: SkippedFile) {
        self.init(kind: file.reason == .link ? .link : .notRaw, path: file.path, message: file.description)
    }
}

/// The tables `plans`, `left_out` and `left_out_counts`: counts of the files that the last plans left out, and the
/// first names of each kind.
struct LeftOutTable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Maximum number of stored names per kind and plan.
    static let maxNames = 1000
    /// Maximum number of stored plans. Older ones are of no interest, and would fill the disk of a machine that
    /// converts every hour.
    private static let maxPlans = 100

    /// Starts the plan of a batch. An interrupted plan starts again from its beginning.
    func begin(_ batch: BatchID) throws {
        try connection.transaction {
            var known = try number(of: batch)
            if known == nil {
                known = try connection.insert("INSERT INTO plans(batch) VALUES (?)", batch.bytes)
            }
            let plan = known ?? 0
            try remove("plan = ?", plan)
            try remove("plan <= ?", plan - Int64(Self.maxPlans))
            try connection.run("DELETE FROM plans WHERE id <= ?", plan - Int64(Self.maxPlans))
        }
    }

    private func remove(_ condition: String, _ plan: Int64) throws {
        for table in ["left_out", "left_out_counts"] {
            try connection.run("DELETE FROM \(table) WHERE \(condition)", plan)
        }
    }

    func add(_ files: [LeftOutFile], to batch: BatchID) throws {
        guard !files.isEmpty, let plan = try number(of: batch) else { return }
        try connection.transaction {
            for (kind, files) in Dictionary(grouping: files, by: \.kind) {
                let known = try count(kind, plan)
                for file in files.prefix(max(0, Self.maxNames - known)) {
                    try connection.run(
                        "INSERT INTO left_out VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", plan, kind.rawValue,
                        file.path,
                        file.message)
                }
                try connection.run(
                    """
                    INSERT INTO left_out_counts VALUES (?1, ?2, ?3)
                    ON CONFLICT(plan, kind) DO UPDATE SET count = left_out_counts.count + ?3
                    """, plan, kind.rawValue, files.count)
            }
        }
    }

    private func count(_ kind: FileGroup.Kind, _ plan: Int64) throws -> Int {
        try connection.first(
            "SELECT count FROM left_out_counts WHERE plan = ? AND kind = ?", plan, kind.rawValue
        ) { Int($0.integer(0)) } ?? 0
    }

    private func number(of batch: BatchID) throws -> Int64? {
        try connection.first("SELECT id FROM plans WHERE batch = ?", batch.bytes) { $0.integer(0) }
    }
}
