import Arguments
import CommandLineTool
import Coordinator
import Jobs
import Manifests
import Storage
import Telemetry
import Worker

/// A run on this machine, as `convert` and `retry` do it: its library, its report and its exit status.
struct LocalRun {
    private let values: ArgumentValues
    private let console: Console
    private let log: Logger
    private let pool: RenderProcessPool

    /// Starts the render processes at once: they load their program while everything else is being prepared.
    init(_ values: ArgumentValues) throws {
        pool = try RenderProcessPool(WorkerOptions.settings(values), library: values[LibraryOption.parameter])
        pool.load()
        self.values = values
        console = Console(terminal: Terminal(descriptor: 2))
        log = SharedOptions.logger(values, console: console)
    }

    /// - Parameters:
    ///   - storing: puts into the library what the jobs need.
    ///   - request: makes the request when the library is open. A run without one only finishes what is open.
    /// - Returns: the exit status.
    func run(
        sources: [[UInt8]], storing: @escaping @Sendable (Root) throws -> Void = { _ in },
        request: (Ledger) async throws -> RunRequest?
    ) async throws -> Int32 {
        let library = try await LocalLibrary.open(values[LibraryOption.parameter], log: log, storing: storing)
        let (roots, rootMap) = try await SourceRoots.open(sources, library: library)
        let request = try await request(library.ledger)
        let worker = try RenderWorker(
            pool: pool, transport: library.broker, roots: roots, expectedLook: request?.submission.recipe.look, log: log
        )
        worker.prewarm()
        Task.detached { worker.expectRootsAsTheyAre() }
        let reporter = ReportOptions.reporter(values, console: console)
        let progress = RunProgressTracker(
            reporter: reporter, roots: rootMap, library: library.folder, makesPlan: request != nil)
        let cluster = try await LocalCluster.open(
            library, roots: roots, worker: worker, progress: progress, log: log)
        let batches = try await openBatches(library.ledger).union(request.map { [$0.submission.batch] } ?? [])
        Interrupts.shared.handle {
            reporter.notice("Finishing what is being rendered. Ctrl-C again stops at once; nothing is lost either way.")
            cluster.stop()
        } last: { [console] in
            console.clearProgress()
        }
        let outcome = await cluster.run(request)
        Interrupts.shared.reset()
        let summary = progress.end(open: try await library.ledger.perform { try $0.reports.totals().open })
        try await reportFailures(summary, library, batches, rootMap)
        try await cluster.close(
            isDone: outcome.failure == nil && outcome.result?.isComplete == true && summary.open == 0)
        return try status(outcome, summary)
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
        guard !values[ReportOptions.json] else { return }
        let output = TextOutput.standardOutput
        if summary.failed > 0 {
            try await FailureReport.write(
                library.ledger, batches: batches, roots: rootMap, to: output, on: Terminal(descriptor: 1))
        }
        if summary.failedBefore > 0 {
            let folder = TerminalText.escape(library.folder)
            output.write(line: "")
            output.write(
                line: "\(SummaryText.counted(summary.failedBefore, "file")) failed before and were not tried again: "
                    + "`rawmill status --library \(folder)` names them, `rawmill retry --library \(folder)` tries again."
            )
        }
    }

    private func status(_ outcome: LocalCluster.Outcome, _ summary: RunSummary) throws -> Int32 {
        if let failure = outcome.failure { throw failure }
        if Interrupts.shared.wasInterrupted, outcome.result?.isComplete != true {
            if !values[ReportOptions.json] {
                TextOutput.standardError.write(line: "Interrupted. The same command carries on where this one stopped.")
            }
            return ExitStatus.interrupted
        }
        let countsOld = values[ReportOptions.failOnOld] && summary.failedBefore > 0
        return summary.hasFailures || countsOld ? ExitStatus.someFailed : ExitStatus.done
    }
}
