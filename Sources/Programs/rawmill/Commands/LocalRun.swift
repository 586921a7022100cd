import Arguments
import Catalogue
import CommandLineTool
import Coordinator
import Export
import Jobs
import Library
import Manifests
import Records
import Runs
import Storage
import Telemetry
import Worker

/// A run on this machine for `convert` and `retry`: its library, its report and its exit status.
struct LocalRun {
    private let values: ArgumentValues
    private let destination: RunDestination
    private let console: Console
    private let log: Logger
    private let pool: RenderProcessPool
    private let isServed: Bool

    /// Starts the render processes at once: they load their program during the other preparations.
    ///
    /// - Parameters:
    ///   - isServed: whether a page shows the run; for libraries only.
    ///   - expectedJobs: the probable number of jobs; nil if unknown.
    init(
        _ values: ArgumentValues, to destination: RunDestination, isServed: Bool = false, expectedJobs: Int? = nil
    ) throws {
        pool = try RenderProcessPool(
            WorkerOptions.settings(values, hasLibrary: destination.isLibrary), library: destination.state,
            expectedJobs: expectedJobs)
        pool.load()
        self.values = values
        self.isServed = isServed
        self.destination = destination
        console = Console(terminal: Terminal(descriptor: 2))
        log = SharedOptions.logger(values, console: console)
    }

    /// - Parameters:
    ///   - storing: stores the files that the jobs need in the library.
    ///   - requests: makes the requests once the library is open. A run without any only finishes open jobs.
    ///   - reporter: reports the run; nil for the one of the options.
    ///   - naming: how the photos of each submission are placed in a folder.
    /// - Returns: the exit status.
    func run(
        sources: [[UInt8]], storing: @escaping @Sendable (Root) throws -> Void = { _ in },
        naming: (Submission, [SourceFolder]) throws -> ExportOrder? = { _, _ in nil },
        reporter: (any RunReporter)? = nil, requests: (Ledger) async throws -> [RunRequest]
    ) async throws -> Int32 {
        let library = try await LocalLibrary.open(destination, log: log, storing: storing)
        let (roots, rootMap, folders) = try await SourceRoots.open(sources, library: library)
        var requests = try await requests(library.ledger)
        let submissions = requests.flatMap(\.submissions)
        let page = isServed ? try await RunPage.open(values, library: destination.state, log: log) : nil
        let worker = try RenderWorker(
            pool: pool, transport: library.broker, roots: roots,
            expectedLook: submissions.first?.recipe.look, log: log, observe: { page?.observer.update($0) })
        worker.prewarm()
        Task.detached { worker.expectRootsAsTheyAre() }
        let sink = try await sink(library, roots)
        if let sink = sink as? FolderSink, !requests.isEmpty {
            for submission in submissions {
                guard let order = try naming(submission, folders) else { continue }
                try await sink.exporter.register(order, for: submission.batch)
            }
            let missing = try await sink.exporter.missingJobs()
            for index in requests.indices { requests[index].missing = missing }
        }
        let told = reporter ?? ReportOptions.reporter(values, console: console)
        let reporter: any RunReporter = page.map { ReporterPair(first: told, second: $0.observer) } ?? told
        let progress = RunProgressTracker(
            reporter: reporter, roots: rootMap, photos: photosFolder, makesPlan: !requests.isEmpty)
        var cluster = LocalCluster(library: library, worker: worker, sink: sink, progress: progress)
        var served: LibraryRun?
        if let page, let sink = sink as? LibrarySink {
            let watched = ObservedSink(sink: sink, observer: page.observer)
            cluster = LocalCluster(library: library, worker: worker, sink: watched, progress: progress)
            served = LibraryRun(cluster, sink.cataloguer, rootMap)
        }
        let batches = try await openBatches(library.ledger).union(submissions.map(\.batch))
        Interrupts.shared.handle { [cluster, served] in
            reporter.notice(
                "Finishing the photos in progress. Press Ctrl-C again to stop at once; nothing is lost either way.")
            if let served { served.stop() } else { cluster.stop() }
        } last: { [console] in
            console.clearProgress()
        }
        let outcome = await work(cluster, requests, served, page)
        Interrupts.shared.reset()
        do {
            let summary = progress.end(open: try await library.ledger.perform { try $0.reports.totals().open })
            try await reportFailures(summary, library, batches, rootMap)
            try await cluster.close(
                isDone: outcome.failure == nil && outcome.result?.isComplete == true && summary.open == 0)
            await page?.close()
            return try status(outcome, summary)
        } catch {
            // The error that ended the run explains more than later failures on the same disk.
            throw destination.explained(outcome.failure ?? error)
        }
    }

    private func work(
        _ cluster: LocalCluster, _ requests: [RunRequest], _ served: LibraryRun?, _ page: RunPage?
    ) async -> LocalCluster.Outcome {
        guard let served, let page else { return await cluster.run(.all(requests)) }
        for request in requests { _ = served.submit(request) }
        return await page.follow(served, requests)
    }

    /// Opens the destination of the photos; takes no jobs yet.
    private func sink(_ library: LocalLibrary, _ roots: Roots) async throws -> any PhotoSink {
        switch destination {
        case .library(let folder):
            return try await LibrarySink.open(library, folder: folder, roots, log: log)
        case .folder(let folder, _):
            let exporter = FolderExporter(
                transport: library.broker, folder: try Root(path: folder), state: library.root, log: log)
            try await exporter.open()
            return FolderSink(exporter: exporter, folder: folder)
        }
    }

    private var photosFolder: String {
        switch destination {
        case .library(let folder): "\(folder)/\(LibraryLayout.photos)"
        case .folder(let folder, _): folder
        }
    }

    private func openBatches(_ ledger: Ledger) async throws -> Set<BatchID> {
        try await ledger.perform { store in
            var open: Set<BatchID> = []
            try store.reports.eachBatch { if $0.counts.open > 0 { open.insert($0.batch) } }
            return open
        }
    }

    private func reportFailures(
        _ summary: RunSummary, _ library: LocalLibrary, _ batches: Set<BatchID>, _ rootMap: RootMap
    ) async throws {
        guard !values[ReportOptions.json], !values[ReportOptions.quiet] else { return }
        let output = TextOutput.standardOutput
        if summary.failed > 0 {
            try await FailureReport.write(
                library.ledger, batches: batches, roots: rootMap, to: output, on: Terminal(descriptor: 1))
        }
        if summary.failedBefore > 0 {
            let folder = TerminalText.escape(library.folder)
            output.write(line: "")
            output.write(
                line: "\(SummaryText.counted(summary.failedBefore, "photo")) failed before and were not retried: "
                    + "`rawmill status --library \(folder)` names them, --retry-failed retries them.")
        }
    }

    private func status(_ outcome: LocalCluster.Outcome, _ summary: RunSummary) throws -> Int32 {
        if let failure = outcome.failure { throw failure }
        if Interrupts.shared.wasInterrupted, outcome.result?.isComplete != true {
            if !values[ReportOptions.json] {
                TextOutput.standardError.write(line: "Interrupted. Run the same command again to continue.")
            }
            return ExitStatus.interrupted
        }
        let countsOld = values[ReportOptions.failOnOld] && summary.failedBefore > 0
        return summary.hasFailures || countsOld ? ExitStatus.someFailed : ExitStatus.done
    }
}
