import Broker
import CommandLineTool
import Coordinator
import Jobs
import Library
import Manifests
import Processes
import Storage

/// Compares the ledger, the library's rows, its files and the broker with each other. It reads while other processes write;
/// what it finds then may resolve itself.
struct LibraryAudit {
    /// A difference between them.
    enum Difference {
        /// The ledger's own sums do not add up.
        case ledger(String)
        /// The ledger says catalogued, and no rendition of that RAW and recipe is in the library.
        case notInLibrary(CataloguedJob)
        /// A row without its file, or a file without its row.
        case files(LibraryVerification.Finding)
    }

    /// How many manifests the cataloguer and the coordinator have not read, and how many dead letters there are.
    struct BrokerCounts {
        var waitForCataloguer: Int64 = 0
        var waitForCoordinator: Int64 = 0
        var deadLetters: Int64 = 0
    }

    struct Report {
        var ledger = JobCounts()
        var library: LibraryCounts?
        var files = LibraryVerification.Report()
        var broker: BrokerCounts?
        /// Catalogued jobs whose asset is not in the ledger, which an earlier version wrote.
        var unknown = 0
        var differences = 0
    }

    let library: String
    let ledger: Ledger
    /// Nil without a cluster.
    let transport: (any Transport)?

    private static let pageSize = 1000

    /// - Parameter onDifference: gets each difference as it is found.
    func run(onDifference: @escaping @Sendable (Difference) -> Void) async throws -> Report {
        var report = Report()
        report.broker = try await brokerCounts()
        report.ledger = try await ledger.perform { try $0.reports.totals() }
        for complaint in try await ledger.perform({ try $0.reports.audit() }) {
            report.differences += 1
            onDifference(.ledger(complaint))
        }
        try await compareJobs(&report, onDifference)
        // Roots outside the library are left out: RAWs may have moved since.
        report.files = try await LibraryVerification(
            library: library, roots: Roots([:]), checkers: Machine.cores, hashes: false
        ).run(onFinding: { onDifference(.files($0)) })
        report.differences += report.files.findings.values.reduce(0, +)
        report.library = try LibraryStore(folder: library, mode: .read).counts()
        return report
    }

    /// Every job the ledger has as catalogued must have a rendition.
    private func compareJobs(_ report: inout Report, _ onDifference: @Sendable (Difference) -> Void) async throws {
        let store = try LibraryStore(folder: library, mode: .read)
        var last: Int64 = 0
        while true {
            try Task.checkCancellation()
            let page = try await ledger.perform { [last] in
                try $0.reports.cataloguedJobs(after: last, limit: Self.pageSize)
            }
            guard let end = page.last else { return }
            last = end.sequence
            for job in page {
                guard let asset = job.asset else {
                    report.unknown += 1
                    continue
                }
                if try !store.files.hasRendition(of: asset, recipe: job.recipe) {
                    report.differences += 1
                    onDifference(.notInLibrary(job))
                }
            }
        }
    }

    private func brokerCounts() async throws -> BrokerCounts? {
        guard let transport else { return nil }
        let cluster = ConsumedTopic(cluster: try await transport.clusterID(), topic: Topics.manifests)
        let merged = try LibraryStore(folder: library, mode: .read).offsets.next(of: cluster)
        let closed = try await ledger.perform { try $0.offsets.manifests() }
        var counts = BrokerCounts()
        for (partition, range) in try await transport.watermarks(topic: Topics.manifests) {
            counts.waitForCataloguer += range.upperBound - max(range.lowerBound, merged[partition] ?? 0)
            counts.waitForCoordinator += range.upperBound - max(range.lowerBound, closed[partition] ?? 0)
        }
        for range in try await transport.watermarks(topic: Topics.deadLetter).values {
            counts.deadLetters += Int64(range.count)
        }
        return counts
    }
}
