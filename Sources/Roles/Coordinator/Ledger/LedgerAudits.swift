internal import Database
public import Digest
public import Jobs

/// A job whose photo should be in the library.
public struct CataloguedJob: Hashable, Sendable {
    /// The job's number in the order of acceptance.
    public let sequence: Int64
    /// The RAW as it was accepted.
    public let raw: FileStamp
    /// The job's id.
    public let job: JobID
    /// The RAW's identity, as reported by the cataloguer; nil for jobs of early versions, which did not store it.
    public let asset: SHA256Value?
    /// The recipe's digest.
    public let recipe: SHA256Value
}

/// The ledger's view of a photo in the library.
public enum PhotoStanding: Hashable, Sendable {
    /// Its job is open, is catalogued, or was catalogued.
    case expected
    /// Its job ended without a photo.
    case unsuccessful(JobID, JobState)
    /// No job of this ledger could have made it.
    case unknown
}

/// Reads the data that an audit compares with the library. Writes nothing.
public struct LedgerAudits {
    private let connection: Connection
    private let roots: RootsTable
    private let recipes: RecipesTable

    init(_ connection: Connection, roots: RootsTable, recipes: RecipesTable) {
        self.connection = connection
        self.roots = roots
        self.recipes = recipes
    }

    /// Catalogued jobs in the order of acceptance, one page at a time, after a sequence number (0 for the first page).
    /// Returns an empty array at the end.
    public func cataloguedJobs(after sequence: Int64, limit: Int) throws -> [CataloguedJob] {
        try connection.all(
            """
            SELECT seq, root, path, size, modified_ns, jobs.id, asset, recipes.digest
            FROM jobs JOIN recipes ON recipes.id = jobs.recipe
            WHERE seq > ? AND state IN (2, 3) ORDER BY seq LIMIT ?
            """, sequence, limit
        ) { row in
            guard let path = RelativePath(bytes: row.blob(2)), let recipe = SHA256Value(bytes: row.blob(7)) else {
                throw LedgerError.damaged("a job without a path or a recipe")
            }
            let raw = FileStamp(
                file: FileReference(root: try roots.name(row.integer(1)), path: path),
                sizeBytes: UInt64(bitPattern: row.integer(3)), modifiedNanoseconds: row.integer(4))
            return CataloguedJob(
                sequence: row.integer(0), raw: raw, job: try JobsTable.id(row.blob(5)),
                asset: row.isNull(6) ? nil : SHA256Value(bytes: row.blob(6)), recipe: recipe)
        }
    }

    /// The ledger's view of a photo in the library, by its RAW and its recipe's digest.
    public func standing(of raw: FileStamp, recipe: SHA256Value) throws -> PhotoStanding {
        guard let root = try roots.knownNumber(of: raw.file.root) else { return .unknown }
        var standing = PhotoStanding.unknown
        try connection.each(
            """
            SELECT state, asset IS NOT NULL, size = ? AND modified_ns = ?, id FROM jobs
            WHERE root = ? AND path = ? AND recipe = (SELECT id FROM recipes WHERE digest = ?)
            """, raw.sizeBytes, raw.modifiedNanoseconds, root, raw.file.path.bytes, recipe.bytes
        ) { row in
            let state = JobState(rawValue: Int(row.integer(0)))
            if state?.isOpen == true || state?.isCatalogued == true || row.integer(1) != 0 {
                standing = .expected
            } else if standing == .unknown, row.integer(2) != 0 {
                standing = .unsuccessful(try JobsTable.id(row.blob(3)), state ?? .failed)
            }
        }
        return standing
    }
}
