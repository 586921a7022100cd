import Coordinator
import Digest
import Jobs
import LibraryTables
import PhotoTree

/// Compares the ledger's catalogued jobs with the library's rows (I12).
struct CatalogueMonitor {
    private let library: String
    /// Jobs whose rows were found. Nothing removes rows of a tortured library, and the last comparison covers all.
    private var found: Set<JobID> = []
    /// Number of comparisons while the cluster was at work.
    private(set) var samples = 0
    /// Complaints while the cluster was at work: sentences, each once.
    private(set) var complaints: [String] = []

    init(library: String) { self.library = library }

    /// Checks the working cluster: a catalogued job always has its rows. The ledger is read first, because the library
    /// may be ahead of it. Unreadable parts are left for the next check.
    mutating func sample() async {
        guard let jobs = try? await cataloguedJobs(), let store = try? LibraryStore(folder: library, mode: .read) else {
            return
        }
        samples += 1
        for job in jobs where !found.contains(job.job) {
            guard let complaint = try? CatalogueComparison.complaint(of: job, in: store) else { continue }
            if complaint.isEmpty {
                found.insert(job.job)
            } else if !complaints.contains(complaint) {
                complaints.append(complaint)
            }
        }
    }

    /// Compares in both directions when nothing is in progress.
    ///
    /// - Returns: the numbers of compared jobs and photos, and sentences about differences.
    func compare() async throws -> CatalogueComparison {
        try CatalogueComparison(try await cataloguedJobs(), try LibraryStore(folder: library, mode: .read))
    }

    private func cataloguedJobs() async throws -> [CataloguedJob] {
        guard let ledger = try Ledger.existing(library: library) else { return [] }
        return try await ledger.perform { try $0.audits.cataloguedJobs(after: 0, limit: .max) }
    }
}

/// The check of I12.
struct CatalogueComparison {
    let jobs: Int
    /// Rows by RAW and recipe: the frames of a burst count as one.
    let photos: Int
    /// Differences, as sentences.
    private(set) var complaints: [String] = []

    /// The common key of a job and its rows.
    private struct Photo: Hashable {
        let asset: SHA256Value
        let recipe: SHA256Value
    }

    /// - Parameter catalogued: every job that the ledger calls catalogued.
    init(_ catalogued: [CataloguedJob], _ store: LibraryStore) throws {
        var rows: [Photo: FileStamp] = [:]
        var last: RenditionID?
        while case let page = try store.tables.files.renditionOrigins(after: last, limit: 1000), let end = page.last {
            for row in page { rows[Photo(asset: row.asset, recipe: row.recipe)] = row.raw }
            last = end.id
        }
        (jobs, photos) = (catalogued.count, rows.count)
        for job in catalogued {
            let complaint = try Self.complaint(of: job, in: store)
            if !complaint.isEmpty { complaints.append(complaint) }
            if let asset = job.asset { rows[Photo(asset: asset, recipe: job.recipe)] = nil }
        }
        complaints += rows.values.map {
            "the library has a photo of \($0.file), and no job of it is catalogued"
        }.sorted()
    }

    /// A catalogued job's missing parts in the library: a row of its RAW and recipe, and the path at which the job
    /// found the RAW. Empty if nothing is missing.
    static func complaint(of job: CataloguedJob, in store: LibraryStore) throws -> String {
        guard let asset = job.asset else { return "\(job.raw.file) is catalogued, and the ledger has no asset for it" }
        if try store.tables.files.originals(of: asset, recipe: job.recipe).isEmpty {
            return "\(job.raw.file) is catalogued, and the library has no row of it"
        }
        return try store.hasSighting(of: asset, at: job.raw.file)
            ? "" : "\(job.raw.file) is catalogued, and the library does not know that path of it"
    }
}
