import CommandLineTool
import Arguments
import Coordinator
import Jobs
import Manifests
import Storage
import Telemetry
import Worker

/// What `convert` and `retry` have in common: a run in a library, its report and its exit status.
struct LocalRun {
    private let values: Values
    private let console: Console
    private let log: Logger
    private let crew: RenderCrew

    /// Has the render processes start at once: they load their program while all else is being prepared.
    init(_ values: Values) throws {
        crew = try RenderCrew(WorkerOptions.settings(values), library: values[LibraryOption.parameter])
        crew.load()
        self.values = values
        console = Console(terminal: Terminal(descriptor: 2))
        log = SharedOptions.logger(values, console: console)
    }

    /// - Parameters:
    ///   - storing: puts into the library what the jobs need.
    ///   - request: what to do beside carrying on; made when the library is open. Nil only carries on.
    func run(
        sources: [[UInt8]], storing: @escaping @Sendable (Root) throws -> Void = { _ in },
        request: (Ledger) async throws -> RunRequest?
    ) async throws -> Int32 {
        let home = try await LocalLibrary.open(values[LibraryOption.parameter], log: log, storing: storing)
        let (roots, table) = try await SourceRoots.open(sources, home: home)
        let request = try await request(home.ledger)
        let worker = try RenderWorker(
            crew: crew, transport: home.broker, roots: roots, look: request?.submission.recipe.look, log: log)
        worker.beginWarming()
        let reporter = ReportOptions.reporter(values, console: console)
        let desk = RunProgressTracker(reporter: reporter, roots: table, library: home.folder, makesPlan: request != nil)
        let machine = try await LocalCluster.open(home, roots: roots, worker: worker, desk: desk, log: log)
        let batches = try await openBatches(home.ledger).union(request.map { [$0.submission.batch] } ?? [])
        Interrupts.shared.handle {
            reporter.notice("Finishing what is being rendered. Ctrl-C again stops at once; nothing is lost either way.")
            machine.stop()
        } last: { [console] in
            console.clearProgress()
        }
        let outcome = await machine.run(request)
        Interrupts.shared.reset()
        let summary = desk.end(open: try await home.ledger.perform { try $0.totals().open })
        try await reportFailures(summary, home, batches, table)
        try await machine.close(
            isDone: outcome.failure == nil && outcome.result?.isComplete == true && summary.open == 0)
        return try status(outcome, summary)
    }

    private func openBatches(_ ledger: Ledger) async throws -> Set<BatchID> {
        try await ledger.perform { store in
            var open: Set<BatchID> = []
            try store.eachBatch { if $0.counts.open > 0 { open.insert($0.batch) } }
            return open
        }
    }

    private func reportFailures(
        _ summary: RunSummary, _ home: LocalLibrary, _ batches: Set<BatchID>, _ table: RootMap
    ) async throws {
        guard !values[ReportOptions.json] else { return }
        let output = TextOutput.standardOutput
        if summary.failed > 0 {
            try await FailureReport.write(
                home.ledger, batches: batches, roots: table, to: output, on: Terminal(descriptor: 1))
        }
        if summary.failedBefore > 0 {
            let library = Printable.text(home.folder)
            output.write(line: "")
            output.write(
                line: "\(SummaryText.counted(summary.failedBefore, "file")) failed before and were not tried again: "
                    + "`rawmill status --library \(library)` names them, `rawmill retry --library \(library)` tries again."
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
        return summary.hasFailures ? ExitStatus.someFailed : ExitStatus.done
    }
}
