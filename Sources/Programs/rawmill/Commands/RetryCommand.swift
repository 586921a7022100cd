import Arguments
import ClusterControl
import CommandLineTool
import Coordinator
import Jobs
import Runs
internal import Runs
import Telemetry

/// `rawmill retry`: fresh attempts for failed jobs and failed frames, and a run that makes them.
enum RetryCommand {
    static let reason: Parameter<EnumArgument<FailureReason>?> = .optional(
        "reason", "REASON", help: "Retry only jobs that failed for this reason.")

    static let command: Command = Command(
        "retry", summary: "Retry failed jobs, and finish open ones.",
        discussion: """
            If only some frames of a file failed, only those are rendered. A file that changed after it failed is \
            skipped: convert its folder again.

            With --library, retry runs on this machine. With --broker, the cluster's coordinator reopens the jobs \
            for its workers; the command returns when it has.
            """,
        parameters: [StatusCommand.library, reason] + BrokerOptions.optional + [OperatorCommand.patience]
            + WorkerOptions.all + ReportOptions.all
    ) { values in
        if let broker = values[BrokerOptions.optionalBroker], !StatusCommand.prefersLibrary(values) {
            let sender = ControlSender(try BrokerOptions.commandTransport(values, to: broker))
            return try await ClusterRetry.run(
                RetryFilter(reason: values[reason]?.value), with: sender,
                patience: .seconds(values[OperatorCommand.patience]), asJSON: values[ReportOptions.json])
        }
        guard let folder = values[StatusCommand.library] ?? CurrentLibrary.folder else {
            throw UsageError("Give --library DIR, or --broker URL for a cluster.", command: values.command)
        }
        return try await ofLibrary(folder, values)
    }

    private static func ofLibrary(_ folder: String, _ values: ArgumentValues) async throws -> Int32 {
        guard let ledger = try Ledger.existing(library: folder) else {
            throw RunError.noLibrary(folder)
        }
        let selection = values[reason]?.value
        let known = try await ledger.perform { try $0.reports.retryableJobs() }
        let chosen = known.filter { selection == nil || $0.reason == selection }
        if let selection, chosen.isEmpty {
            let reasons = known.compactMap(\.reason?.rawValue).joined(separator: ", ")
            let there = reasons.isEmpty ? "No job failed." : "Failures: \(reasons)."
            throw UsageError("No job failed with the reason \(selection.rawValue). \(there)", command: values.command)
        }
        return try await LocalRun(values, to: .library(folder)).run(sources: []) { ledger in
            _ = try await ledger.perform { try $0.control.retry(RetryFilter(reason: selection)) }
            if !values[ReportOptions.json], !values[ReportOptions.quiet] {
                TextOutput.standardOutput.write(line: line(chosen))
            }
            return []
        }
    }

    /// Reports what is retried.
    private static func line(_ jobs: [RetryableJobs]) -> String {
        let failed = jobs.reduce(0) { $0 + $1.failed }
        let lacking = jobs.reduce(0) { $0 + $1.lackingFrames }
        let parts = [
            failed > 0 ? SummaryText.counted(failed, "failed file") : nil,
            lacking > 0 ? "the failed frames of \(SummaryText.counted(lacking, "file"))" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? "Nothing to retry." : "Retrying \(parts.joined(separator: " and "))."
    }
}
