import Arguments
import CommandLineTool
import Coordinator
import Telemetry
import Upkeep

enum LibraryBackupCommand {
    private static let target: Parameter<String> = .required(
        "to", "FOLDER", must: Rule("the path of a new folder", { !$0.isEmpty }), completion: .folders,
        help: "New folder for the backup; its parent must exist.")

    static let command: Command = Command(
        "backup", summary: "Back up a library's tables into a folder, while it is in use.",
        discussion: """
            Albums and edit histories are stored only in the tables. The backup is a snapshot as SQLite files, \
            compared value by value, also for a library on a server. It includes the ledger if that is in the \
            library, or with --state. Copy the photos afterwards, with any program: then every row has its file.
            """,
        examples: [
            .init("rawmill library backup --library film --to backups/2026-11-26", "today's state"),
            .init("cd backups/2026-11-26 && sha256sum -c SHA256SUMS", "check the backup"),
        ],
        parameters: [
            LibraryOption.parameter, target, CoordinatorCommand.state, LibraryOption.json, ReportOptions.noProgress,
        ]
    ) { values in
        let folder = values[LibraryOption.parameter]
        var rows = RowCount(values)
        defer { rows.line.clear() }
        var hasLedger = false
        try BackupFolder.make(at: values[target]) { backup in
            // The ledger first: it closes no job whose photo the library does not know.
            hasLedger = try LedgerBackup(library: folder, state: values[CoordinatorCommand.state])
                .write(to: backup) { rows.add($0) }
            try LibraryBackup.write(folder, to: backup) { rows.add($0) }
        }
        rows.line.clear()
        let output = TextOutput.standardOutput
        if values[LibraryOption.json] {
            output.write(
                event: "summary",
                [
                    "rows": rows.count,
                    "ledger": hasLedger,
                    "folder": values[target],
                ])
        } else {
            let what = "\(SummaryText.counted(rows.count, "row")) of the library\(hasLedger ? " and its ledger" : "")"
            output.write(
                line: TerminalText.escape(
                    "Copied and compared \(what): \(values[target]). Photos, previews and RAWs are not included: copy "
                        + "the library's folder too."))
        }
        return ExitStatus.done
    }
}

struct RowCount {
    let line: CountLine
    private(set) var count = 0

    init(_ values: ArgumentValues) { line = CountLine(values) }

    mutating func add(_ rows: Int) {
        count += rows
        line.show("\(SummaryText.counted(count, "row")) copied")
    }
}
