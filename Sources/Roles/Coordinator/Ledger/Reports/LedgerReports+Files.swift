internal import Database
public import Jobs
public import Manifests

// Files that users should know of, by name.
extension LedgerReports {
    /// Calls `body` for files that plans left out or could not read, the last plan first, or only for those of one
    /// batch. Very long lists are cut.
    public func eachProblem(of batch: BatchID? = nil, _ body: (PlanProblem) throws -> Void) throws {
        try connection.each(
            """
            SELECT batch, kind, path, message FROM left_out JOIN plans ON plans.id = left_out.plan
            WHERE batch = coalesce(?1, batch) ORDER BY plan DESC, kind, path
            """, batch?.bytes
        ) { row in
            guard let kind = FileGroup.Kind(rawValue: row.text(1)) else { return }
            try body(
                PlanProblem(
                    batch: try BatchesTable.id(row, 0), kind: kind, path: row.blob(2), message: row.text(3)))
        }
    }

    /// Maximum number of stored names per kind and plan.
    public static let maxPlanNames = LeftOutTable.maxNames

    /// The batch of the last plan; nil if there is none.
    public func lastPlan() throws -> BatchID? {
        try connection.first("SELECT batch FROM plans ORDER BY id DESC LIMIT 1") { try BatchesTable.id($0, 0) }
    }

    /// All batches whose ids begin with the text, among batches and plans.
    public func batches(beginning text: String) throws -> [BatchID] {
        try connection.all(
            """
            SELECT batch FROM batches WHERE lower(hex(batch)) LIKE ?1 || '%'
            UNION SELECT batch FROM plans WHERE lower(hex(batch)) LIKE ?1 || '%'
            """, text.lowercased().filter { $0.isHexDigit } == text.lowercased() ? text.lowercased() : "-"
        ) { try BatchesTable.id($0, 0) }
    }

    /// The files of a batch that users should know of, for the status topic: the first of each kind, and their number.
    /// Their names fit into a record.
    public func files(of batch: BatchID) throws -> [FileGroup] {
        var budget = NameBudget()
        return try FileGroup.Kind.allCases.compactMap { kind in
            let total = try total(kind, batch)
            guard total > 0 else { return nil }
            return FileGroup(kind: kind, total: total, files: budget.fitting(try names(kind, batch)))
        }
    }

    /// Limits the names in one record, by number per kind and by total size.
    private struct NameBudget {
        static let maxPerKind = 20
        private var bytes = 32 << 10

        mutating func fitting(_ files: [NamedFile]) -> [NamedFile] {
            var fitting: [NamedFile] = []
            for file in files {
                let size = file.source.count + file.message.utf8.count + 16
                guard size <= bytes else { break }
                bytes -= size
                fitting.append(file)
            }
            return fitting
        }
    }

    private static func condition(_ kind: FileGroup.Kind) -> String? {
        switch kind {
        case .failed: "state = 4"
        case .degraded: "state = 3"
        case .withoutProfile: "without_profile IS NOT NULL"
        case .refused: "\(JobsTable.isRefused) AND NOT \(JobsTable.isUnseen)"
        case .unseen: "\(JobsTable.isRefused) AND \(JobsTable.isUnseen)"
        case .missing, .unreadable, .link, .notRaw: nil
        }
    }

    private func total(_ kind: FileGroup.Kind, _ batch: BatchID) throws -> Int {
        let query =
            if let condition = Self.condition(kind) {
                "SELECT count(*) FROM jobs WHERE batch = (SELECT id FROM batches WHERE batch = ?1) AND \(condition)"
            } else {
                """
                SELECT count FROM left_out_counts
                WHERE plan = (SELECT id FROM plans WHERE batch = ?1) AND kind = '\(kind.rawValue)'
                """
            }
        return try connection.first(query, batch.bytes) { Int($0.integer(0)) } ?? 0
    }

    private func names(_ kind: FileGroup.Kind, _ batch: BatchID) throws -> [NamedFile] {
        guard let condition = Self.condition(kind) else { return try leftOut(kind, batch) }
        return try connection.all(
            """
            SELECT root, path, coalesce(refusal_message, message), reason, message, signal, without_profile
            FROM jobs WHERE batch = (SELECT id FROM batches WHERE batch = ?) AND \(condition)
            ORDER BY seq LIMIT \(NameBudget.maxPerKind)
            """, batch.bytes
        ) { row in
            let file = try file(row, at: 0)
            let failure = kind == .failed ? try JobsTable.failure(row, from: 3) : nil
            let message =
                switch kind {
                case .degraded: row.text(4)
                case .withoutProfile: row.text(6)
                default: failure.map { "\($0.reason.rawValue): \($0.message(about: file))" } ?? row.text(2)
                }
            return NamedFile(
                source: Array(file.root.text.utf8) + [.slash] + file.path.bytes, message: message)
        }
    }

    private func leftOut(_ kind: FileGroup.Kind, _ batch: BatchID) throws -> [NamedFile] {
        let roots = try roots.all()
        return try connection.all(
            """
            SELECT path, message FROM left_out WHERE plan = (SELECT id FROM plans WHERE batch = ?) AND kind = ?
            ORDER BY path LIMIT \(NameBudget.maxPerKind)
            """, batch.bytes, kind.rawValue
        ) { row in NamedFile(source: roots.named(row.blob(0)), message: row.text(1)) }
    }
}
