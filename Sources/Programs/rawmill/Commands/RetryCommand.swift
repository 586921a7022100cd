import Arguments
import CommandLineTool
import Coordinator
import Jobs
import Telemetry

/// `rawmill retry`: fresh attempts for failed jobs, and a run that makes them.
enum RetryCommand {
    static let reason: Parameter<EnumArgument<FailureReason>?> = .optional(
        "reason", "REASON", help: "Only jobs that failed for this reason.")

    static let command: Command = Command(
        "retry", summary: "Tries failed jobs again, and finishes what is open.",
        discussion:
            "A file that has changed since, or was converted in a newer state, is not tried: convert its folder again.",
        parameters: [LibraryOption.parameter, reason] + WorkerOptions.all + ReportOptions.all
    ) { values in
        guard let ledger = try Ledger.existing(library: values[LibraryOption.parameter]) else {
            throw CommandFailure(StatusCommand.noLibrary(values[LibraryOption.parameter]))
        }
        let failures = try await ledger.perform { try $0.reports.failureCounts() }
        let selection = values[reason]?.value
        if let selection, !failures.contains(where: { $0.reason == selection }) {
            let known = failures.map(\.reason.rawValue).joined(separator: ", ")
            let there = known.isEmpty ? "No job failed." : "There are: \(known)."
            throw UsageError("No job failed with the reason \(selection.rawValue). \(there)", command: values.command)
        }
        return try await LocalRun(values, to: .library(values[LibraryOption.parameter])).run(sources: []) { ledger in
            _ = try await ledger.perform { try $0.control.retry(RetryFilter(reason: selection)) }
            return nil
        }
    }
}
