import Arguments
import CommandLineTool
import Coordinator
import Runs
import Telemetry
import Upkeep

enum LibraryMigrateCommand {
    static let target: Parameter<String> = .required(
        "to", "ADDRESS|file", must: Rule("postgresql://USER@HOST/DATABASE, or file", { !$0.isEmpty }),
        completion: .words(["file"]),
        help: "postgresql://USER@HOST/DATABASE for a server, or file for library.sqlite in the folder.")

    static let command: Command = Command(
        "migrate", summary: "Move a library's tables to a PostgreSQL server, or back.",
        discussion: """
            All tables are copied and compared value by value before the library switches to them, in one step. The \
            old tables are kept under another name. The coordinator's ledger moves too. Stop the coordinator first, \
            and let nothing else write to the library meanwhile.
            """,
        examples: [
            .init("rawmill library migrate --library film --to postgresql://rawmill@db-1/rawmill", "to a server"),
            .init("rawmill library migrate --library film --to file", "back"),
        ],
        parameters: [LibraryOption.parameter, target, LibraryOption.json, ReportOptions.noProgress]
    ) { values in
        let text = values[target]
        let address = text == "file" ? nil : try DatabaseOption.address(text, of: "--to")
        let folder = values[LibraryOption.parameter]
        // First, so that a folder that is not a library stays untouched.
        let migration = try LibraryMigration(library: folder, to: address)
        let line = CountLine(values)
        var rows = 0
        func show(_ count: Int) {
            rows += count
            line.show("\(SummaryText.counted(rows, "row")) copied")
        }
        do {
            // Before and after, because a ledger in the folder belongs to the library wherever its tables are.
            if address == nil {
                let lock = try CoordinatorLock(library: folder)
                try LedgerMigration(library: folder, lock: lock.server).moveToFolder(onRows: show)
            }
            let report = try migration.run { line.show("\(SummaryText.counted(rows + $0, "row")) copied") }
            rows += report.rows.values.reduce(0, +)
            if address != nil {
                let lock = try CoordinatorLock(library: folder)
                try LedgerMigration(library: folder, lock: lock.server).moveToServer(onRows: show)
            }
            line.clear()
        } catch {
            line.clear()
            throw error
        }
        let count = rows
        let output = TextOutput.standardOutput
        if values[LibraryOption.json] {
            output.write(
                event: "summary",
                [
                    "rows": count,
                    "kept": migration.kept,
                ])
        } else {
            let moved = SummaryText.counted(count, "row")
            output.write(
                line: TerminalText.escape(
                    "Moved and compared \(moved). The old tables are kept as \(migration.kept); you can delete them."
                ))
        }
        return ExitStatus.done
    }
}
