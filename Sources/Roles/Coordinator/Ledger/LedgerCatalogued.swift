internal import Database
public import Digest
public import Jobs

/// A job whose photo the ledger believes in the library.
public struct CataloguedJob: Hashable, Sendable {
    public let sequence: Int64
    public let file: FileReference
    public let job: JobID
    /// What its RAW was; nil where an earlier version of the ledger did not note it.
    public let asset: SHA256Value?
    public let recipe: SHA256Value
}

extension LedgerStore {
    /// In the order of acceptance, those after a sequence number; empty at the end.
    public func cataloguedJobs(after sequence: Int64, limit: Int) throws -> [CataloguedJob] {
        try connection.all(
            """
            SELECT seq, root, path, jobs.id, asset, recipes.digest FROM jobs JOIN recipes ON recipes.id = jobs.recipe
            WHERE seq > ? AND state IN (2, 3) ORDER BY seq LIMIT ?
            """, sequence, limit
        ) { row in
            guard let path = RelativePath(bytes: row.blob(2)), let recipe = SHA256Value(bytes: row.blob(5)) else {
                throw LedgerError.damaged("a job without a path or a recipe")
            }
            return CataloguedJob(
                sequence: row.integer(0), file: FileReference(root: try rootName(row.integer(1)), path: path),
                job: try jobID(row.blob(3)), asset: row.isNull(4) ? nil : SHA256Value(bytes: row.blob(4)),
                recipe: recipe)
        }
    }
}
