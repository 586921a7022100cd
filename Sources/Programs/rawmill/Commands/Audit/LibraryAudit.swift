import Broker
import CommandLineTool
import Coordinator
import Jobs
import LibraryTables
import Manifests
import MetadataHost
import PhotoTree
import Processes
import Storage
import Upkeep

/// Compares the ledger, the library's rows, its files and the broker with each other. Other processes may write
/// meanwhile, so findings may resolve themselves.
struct LibraryAudit {
    enum Difference {
        /// The ledger's own sums do not add up.
        case ledger(String)
        /// A catalogued job whose RAW and recipe have no rendition in the library.
        case notInLibrary(CataloguedJob)
        /// A catalogued job whose photo was made from another RAW.
        case otherRaw(CataloguedJob, made: FileStamp)
        /// A photo in the library whose job failed or was cancelled.
        case photoOfUnsuccessful(FileQueries.RenditionOrigin, JobState)
        /// Photos in the library without a job in the ledger, which is too old or belongs to another library.
        case unknownPhotos(count: Int, example: FileStamp)
        case refused(RefusedJob)
        /// A row without its file, or a file without its row.
        case files(LibraryVerification.Finding)
    }

    /// The number of manifests that the cataloguer and the coordinator have not read, and of dead letters.
    struct BrokerCounts {
        var waitForCataloguer: Int64 = 0
        /// The cataloguer's unread results.
        var waitForCoordinator: Int64 = 0
        var deadLetters: Int64 = 0
        /// False if the ledger's jobs were sent to another cluster, whose coordinator has not connected to this one
        /// yet.
        var isLedgers = true
    }

    struct Report {
        var ledger = JobCounts()
        var library: LibraryCounts?
        var files = LibraryVerification.Report()
        var broker: BrokerCounts?
        /// Catalogued jobs whose asset is not in the ledger, from an old version.
        var unknown = 0
        /// Catalogued jobs that share their photo with a RAW at another path, and whose own RAW cannot be read here.
        var unchecked = 0
        /// Catalogued jobs whose photos a user removed from the library.
        var removed = 0
        var differences = 0
    }

    let library: String
    let ledger: Ledger
    let transport: (any Transport)?

    private static let pageSize = 1000

    /// - Parameter onDifference: receives each difference when it is found.
    func run(onDifference: @escaping @Sendable (Difference) -> Void) async throws -> Report {
        var report = Report()
        report.broker = try await brokerCounts()
        report.ledger = try await ledger.perform { try $0.reports.totals() }
        for complaint in try await ledger.perform({ try $0.reports.audit() }) {
            report.differences += 1
            onDifference(.ledger(complaint))
        }
        try await reportRefusals(&report, onDifference)
        try await compareJobs(&report, onDifference)
        try await comparePhotos(&report, onDifference)
        // Roots outside the library are left out: RAWs may have moved since.
        report.files = try await LibraryVerification(
            library: library, roots: Roots([:]), checkers: Machine.cores, sample: .none,
            metadataProgram: MetadataProcess.program
        ).run(onFinding: { onDifference(.files($0)) })
        report.differences += report.files.findings.values.reduce(0, +)
        report.library = try LibraryStore(folder: library, mode: .read).counts()
        return report
    }

    private func reportRefusals(
        _ report: inout Report, _ onDifference: @escaping @Sendable (Difference) -> Void
    ) async throws {
        report.differences += try await ledger.perform { store in
            try store.reports.eachRefusal { onDifference(.refused($0)) }
            return try store.reports.refusedCount()
        }
    }

    /// Every catalogued job must have a rendition, made from its own RAW.
    private func compareJobs(_ report: inout Report, _ onDifference: @Sendable (Difference) -> Void) async throws {
        let store = try LibraryStore(folder: library, mode: .read)
        let sources = AuditSources(library: library, roots: try await ledger.perform { try $0.roots.all() })
        var last: Int64 = 0
        while true {
            try Task.checkCancellation()
            let page = try await ledger.perform { [last] in
                try $0.audits.cataloguedJobs(after: last, limit: Self.pageSize)
            }
            guard let end = page.last else { return }
            last = end.sequence
            for job in page {
                guard let asset = job.asset else {
                    report.unknown += 1
                    continue
                }
                let originals = try store.tables.files.originals(of: asset, recipe: job.recipe)
                if originals.isEmpty, try store.tables.removed.contains(asset, recipe: job.recipe) {
                    report.removed += 1
                    continue
                }
                guard let made = originals.first else {
                    report.differences += 1
                    onDifference(.notInLibrary(job))
                    continue
                }
                switch sources.compare(job, asset, made: originals) {
                case .same: break
                case .other:
                    report.differences += 1
                    onDifference(.otherRaw(job, made: made))
                case .unreadable: report.unchecked += 1
                }
            }
        }
    }

    /// Every rendition must have a job that made it and did not fail.
    private func comparePhotos(_ report: inout Report, _ onDifference: @Sendable (Difference) -> Void) async throws {
        let store = try LibraryStore(folder: library, mode: .read)
        var last: RenditionID?
        var unknown: (count: Int, example: FileStamp)?
        while true {
            try Task.checkCancellation()
            let page = try store.tables.files.renditionOrigins(after: last, limit: Self.pageSize)
            guard let end = page.last else { break }
            last = end.id
            let standings = try await ledger.perform { ledger in
                try page.map { try ledger.audits.standing(of: $0.raw, recipe: $0.recipe) }
            }
            for (photo, standing) in zip(page, standings) {
                switch standing {
                case .expected: break
                case .unsuccessful(_, let state):
                    report.differences += 1
                    onDifference(.photoOfUnsuccessful(photo, state))
                case .unknown: unknown = ((unknown?.count ?? 0) + 1, unknown?.example ?? photo.raw)
                }
            }
        }
        guard let unknown else { return }
        report.differences += 1
        onDifference(.unknownPhotos(count: unknown.count, example: unknown.example))
    }

    private func brokerCounts() async throws -> BrokerCounts? {
        guard let transport else { return nil }
        let cluster = ConsumedTopic(cluster: try await transport.clusterID(), topic: Topics.manifests)
        let merged = try LibraryStore(folder: library, mode: .read).tables.offsets.next(of: cluster)
        let (known, read) = try await ledger.perform { (try $0.offsets.knownCluster(), try $0.offsets.results()) }
        var counts = BrokerCounts()
        counts.isLedgers = known == cluster.cluster
        // Offsets of another cluster are meaningless here.
        let closed = counts.isLedgers ? read : [:]
        for (partition, range) in try await transport.watermarks(topic: Topics.manifests) {
            counts.waitForCataloguer += max(0, range.upperBound - max(range.lowerBound, merged[partition] ?? 0))
        }
        for (partition, range) in try await transport.watermarks(topic: Topics.results) {
            counts.waitForCoordinator += max(0, range.upperBound - max(range.lowerBound, closed[partition] ?? 0))
        }
        for range in try await transport.watermarks(topic: Topics.deadLetter).values {
            counts.deadLetters += Int64(range.count)
        }
        return counts
    }
}
