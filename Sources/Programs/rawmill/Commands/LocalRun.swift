import Arguments
import CommandLineTool
import Coordinator
import Export
import Jobs
import Runs
import Storage
import Telemetry

/// A run on this machine, as `convert` and `retry` do it: its reports and its exit status.
struct LocalRun {
    private let values: ArgumentValues
    private let destination: RunDestination
    private let console = Console(terminal: Terminal(descriptor: 2))
    private let log: Logger
    private let opening: RunOpening
    private let isServed: Bool

    /// Starts the render processes at once: they load their program while the command prepares the run.
    ///
    /// - Parameters:
    ///   - isServed: a page shows the run. Only of a library.
    ///   - expectedJobs: the probable number of jobs; nil for any.
    init(
        _ values: ArgumentValues, to destination: RunDestination, isServed: Bool = false, expectedJobs: Int? = nil
    ) throws {
        self.values = values
        self.isServed = isServed
        self.destination = destination
        log = SharedOptions.logger(values, console: console)
        opening = try RunOpening(
            destination, WorkerOptions.settings(values, hasLibrary: destination.isLibrary), expectedJobs: expectedJobs,
            log: log)
    }

    /// - Parameters:
    ///   - storing: writes into the library what the jobs need.
    ///   - naming: the names of a submission's photos in a folder without a library.
    ///   - reporter: makes the run's reporter; nil for the one that the options choose.
    ///   - observer: also receives the run's report.
    ///   - requests: makes the requests once the library is open. None only finishes open jobs.
    /// - Returns: the exit status.
    func run(
        sources: [[UInt8]], storing: @escaping @Sendable (Root) throws -> Void = { _ in },
        naming: (Submission, [SourceFolder]) throws -> ExportOrder? = { _, _ in nil },
        reporter: ((RootMap) -> any RunReporter)? = nil, observer: (any RunReporter)? = nil,
        requests: (Ledger) async throws -> [RunRequest]
    ) async throws -> Int32 {
        var opened = try await opening.open(sources, storing: storing)
        opened.requests = try await requests(opened.ledger)
        let page = isServed ? try await RunPage.open(values, library: destination.state, log: log) : nil
        let owner =
            page?.owner ?? RunOwner(destination.state, .command, WorkerOptions.settings(values), log: log)
        let chosen =
            reporter?(opened.rootMap) ?? ReportOptions.reporter(values, console: console, roots: opened.rootMap)
        let reporter = ReporterList([chosen, observer].compactMap { $0 })
        let cluster = try await opened.cluster(
            naming: naming, reporter: reporter, observer: owner.observer, reportsEachPlan: isServed)
        let batches = try await opened.batches
        Interrupts.shared.handle {
            reporter.notice(
                "Finishing the photos in progress. Press Ctrl-C again to stop at once; nothing is lost either way.")
            cluster.stop()
        } last: { [console] in
            console.clearProgress()
        }
        let serving = Task { await page?.serve() }
        let outcome = await owner.work(on: cluster, opened.requests)
        page?.end()
        await serving.value
        Interrupts.shared.reset()
        do {
            let summary = try await cluster.summary()
            try await reportFailures(summary, cluster.ledger, batches, opened.rootMap)
            if summary.isNothing { try await warnOfLost(opened.folders, cluster.ledger) }
            try await cluster.close(after: outcome)
            await page?.close()
            return status(outcome, summary)
        } catch {
            // The first failure says more than its consequences on the same disk.
            throw destination.explained(outcome.failure ?? error)
        }
    }

    private func reportFailures(
        _ summary: RunSummary, _ ledger: Ledger, _ batches: Set<BatchID>, _ rootMap: RootMap
    ) async throws {
        guard !values[ReportOptions.json], !values[ReportOptions.quiet] else { return }
        let output = TextOutput.standardOutput
        if summary.failed > 0 {
            // Where each file is named as it fails, only the remedies are left to say.
            let named = try await FailureReport.write(
                ledger, batches: batches, namesFiles: output.terminal.isTerminal, to: output)
            RootLegend.write(named, rootMap, to: output)
        }
        if summary.failedBefore > 0 {
            let folder = TerminalText.escape(destination.state)
            output.write(line: "")
            output.write(
                line: "\(SummaryText.counted(summary.failedBefore, "photo")) failed before and were not retried: "
                    + "`rawmill status --library \(folder)` names them, --retry-failed retries them.")
        }
    }

    /// A mount point is an empty folder while its storage is not mounted.
    private func warnOfLost(_ folders: [SourceFolder], _ ledger: Ledger) async throws {
        let trees = folders.filter { $0.extent == .tree }
        guard !trees.isEmpty, values[ConvertOptions.originals].value != .move else { return }
        for folder in trees {
            let path = String(decoding: folder.path, as: UTF8.self)
            guard (try? Root(path: path).entries(of: []))?.isEmpty == true,
                try await ledger.perform({ try $0.reports.hasJobs(of: folder.root) })
            else { continue }
            TextOutput.standardError.write(
                line: "\(TerminalText.escape(path)) is empty, and RAW files were converted from it before. "
                    + "Is its storage mounted?", in: .yellow)
        }
    }

    private func status(_ outcome: LocalCluster.Outcome, _ summary: RunSummary) -> Int32 {
        if Interrupts.shared.wasInterrupted, outcome.result?.isComplete != true {
            if !values[ReportOptions.json] {
                TextOutput.standardError.write(
                    line: "Interrupted. Run the same command again to continue.", in: .yellow)
            }
            return ExitStatus.interrupted
        }
        let countsOld = values[ReportOptions.failOnOld] && summary.failedBefore > 0
        return summary.hasFailures || countsOld ? ExitStatus.someFailed : ExitStatus.done
    }
}
