import Arguments
import Coordinator
import Jobs
import Telemetry

/// `rawmill status`: the batches and their ledgers, and what failed.
enum StatusCommand {
    static let command: Command = Command(
        "status", summary: "Shows what was accepted, what became of it, and each failed file.",
        parameters: [LibraryOption.parameter, LibraryOption.json]
    ) { values in
        let folder = values[LibraryOption.parameter]
        guard let ledger = try Ledger.existing(library: folder) else { throw CommandFailure(nothing(folder)) }
        let output = TextOutput.standardOutput
        let roots = try await ledger.perform { try $0.roots() }
        if values[LibraryOption.json] {
            try await ledger.perform { try StatusReport.writeJSON($0, roots: roots, to: output) }
            return ExitStatus.done
        }
        try await ledger.perform { try StatusReport.write($0, to: output) }
        try await FailureReport.write(ledger, roots: roots, to: output, on: Terminal(descriptor: 1))
        return ExitStatus.done
    }

    static func nothing(_ folder: String) -> String {
        "nothing was converted into \(folder) yet: give --library the folder of a library; `rawmill convert` makes one."
    }
}
