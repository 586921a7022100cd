package import Coordinator
package import Export
package import Jobs
internal import Manifests
internal import PhotoTree
package import Storage
package import Telemetry
package import Worker

package struct RunOpening: Sendable {
    private let destination: RunDestination
    private let pool: RenderProcessPool
    private let log: Logger

    /// Starts the render processes at once, so that they load their program while the folder opens.
    ///
    /// - Parameter expectedJobs: the probable number of jobs; nil for any.
    /// - Throws: `WorkerError.noThread`.
    package init(
        _ destination: RunDestination, _ settings: WorkerSettings, expectedJobs: Int? = nil, log: Logger
    ) throws {
        self.destination = destination
        self.log = log
        pool = try RenderProcessPool(settings, library: destination.state, expectedJobs: expectedJobs)
        pool.load()
    }

    /// Opens the folder and takes its locks.
    ///
    /// - Parameter storing: writes to the folder before the run does.
    /// - Throws: `RunError` if another Rawmill works in it or it cannot be written; errors of its parts.
    package func open(
        _ sources: [[UInt8]] = [], storing: @escaping @Sendable (Root) throws -> Void = { _ in }
    ) async throws -> OpenedRun {
        let library = try await LocalLibrary.open(destination, log: log, storing: storing)
        let (roots, map, folders) = try await SourceRoots.open(sources, library: library)
        return OpenedRun(
            destination: destination, pool: pool, log: log, library: library, roots: roots, rootMap: map,
            folders: folders)
    }
}

/// A run's folder, opened and locked. The roles have not started.
package struct OpenedRun {
    fileprivate let destination: RunDestination
    fileprivate let pool: RenderProcessPool
    fileprivate let log: Logger
    fileprivate let library: LocalLibrary
    fileprivate let roots: Roots
    package let rootMap: RootMap
    package let folders: [SourceFolder]
    /// Without any, the run only finishes open jobs.
    package var requests: [RunRequest] = []

    package var ledger: Ledger { library.ledger }

    /// Prepares the roles.
    ///
    /// - Parameters:
    ///   - naming: the names of a submission's photos in a folder without a library.
    ///   - reportsEachPlan: false to report a single plan of all requests once the last one is planned.
    package mutating func cluster(
        naming: (Submission, [SourceFolder]) throws -> ExportOrder? = { _, _ in nil },
        reporter: (any RunReporter)? = nil, observer: (any RunObserver)? = nil, reportsEachPlan: Bool = true
    ) async throws -> LocalCluster {
        let worker = try RenderWorker(
            pool: pool, transport: library.broker, roots: roots,
            expectedLook: requests.first?.submissions.first?.recipe.look, log: log,
            observe: { observer?.update($0) })
        worker.prewarm()
        Task.detached { worker.expectRootsAsTheyAre() }
        let sink = try await sink(naming)
        let progress = RunProgressTracker(
            reporter: ReporterList([reporter, observer].compactMap { $0 }), roots: rootMap, photos: destination.photos,
            makesPlan: !requests.isEmpty)
        return LocalCluster(
            library, worker, sink, progress, observer: observer, reportsEachPlan: reportsEachPlan)
    }

    /// Opens the role that places the photos. An export also plans jobs whose photos are missing.
    private mutating func sink(
        _ naming: (Submission, [SourceFolder]) throws -> ExportOrder?
    ) async throws -> any PhotoSink {
        switch destination {
        case .library(let folder):
            return try await LibrarySink.open(library, folder: folder, roots, log: log)
        case .folder(let folder, _):
            let exporter = FolderExporter(
                transport: library.broker, folder: try Root(path: folder), state: library.root, log: log)
            try await exporter.open()
            for submission in requests.flatMap(\.submissions) {
                guard let order = try naming(submission, folders) else { continue }
                try await exporter.register(order, for: submission.batch)
            }
            if !requests.isEmpty {
                let missing = try await exporter.missingJobs()
                for index in requests.indices { requests[index].missing = missing }
            }
            return FolderSink(exporter: exporter, folder: folder)
        }
    }

    /// The batches of the run's requests and those with open jobs.
    package var batches: Set<BatchID> {
        get async throws {
            let submitted = Set(requests.flatMap(\.submissions).map(\.batch))
            return try await ledger.perform { store in
                var batches = submitted
                try store.reports.eachBatch { if $0.counts.open > 0 { batches.insert($0.batch) } }
                return batches
            }
        }
    }
}
