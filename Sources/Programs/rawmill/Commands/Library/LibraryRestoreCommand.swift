import Arguments
import CommandLineTool
import Coordinator
import Runs
import Telemetry
import Upkeep

enum LibraryRestoreCommand {
    private static let source: Parameter<String> = .required(
        "from", "FOLDER", must: Rule("the folder of a backup", { !$0.isEmpty }), completion: .folders,
        help: "Folder that `rawmill library backup` made.")
    private static let ledger: Parameter<Bool> = .flag(
        "ledger", help: "Restore the coordinator's ledger too, if it is lost.")

    static let command: Command = Command(
        "restore", summary: "Restore a library's tables from a backup.",
        discussion: """
            The tables are restored to the library's file or server; the current ones are kept under another name. \
            Photos made since the backup are not lost: a cluster's cataloguer continues at the backup's position, \
            and on one machine `rawmill library rebuild` finds them. Nothing else may write to the library \
            meanwhile. Restore the ledger only if it is lost: an older ledger knows only older orders.
            """,
        examples: [.init("rawmill library restore --library film --from backups/2026-11-26", "that day's state")],
        parameters: [
            LibraryOption.parameter, source, ledger, CoordinatorCommand.state, LibraryOption.json,
            ReportOptions.noProgress,
        ]
    ) { values in
        let folder = values[LibraryOption.parameter]
        let state = values[CoordinatorCommand.state]
        let backup = try BackupFolder(existing: values[source])
        if values[ledger] { try requireCluster(folder, state) }
        var rows = RowCount(values)
        defer { rows.line.clear() }
        var library = try LibraryRestore(library: folder, from: backup)
        try library.run { rows.add($0) }
        if values[ledger] { try restoreLedger(folder, state, backup) { rows.add($0) } }
        rows.line.clear()
        let isOnOneMachine = LocalLibrary.hasBroker(folder)
        let output = TextOutput.standardOutput
        if values[LibraryOption.json] {
            output.write(
                event: "summary",
                [
                    "kept": library.kept,
                    "next": isOnOneMachine ? "rebuild" : "catalogue",
                ])
        } else {
            output.write(line: TerminalText.escape(sentence(library.kept, isOnOneMachine, folder)))
        }
        return ExitStatus.done
    }

    private static func restoreLedger(
        _ folder: String, _ state: String?, _ backup: BackupFolder, _ onRows: (Int) -> Void
    ) throws {
        let ledger = try LedgerBackup(library: folder, state: state)
        if let state {
            let lock = try LedgerFolderLock(folder: state)
            try ledger.restore(from: backup, lock: nil, onRows: onRows)
            withExtendedLifetime(lock) {}
        } else {
            let lock = try CoordinatorLock(library: folder)
            try ledger.restore(from: backup, lock: lock.server, onRows: onRows)
            withExtendedLifetime(lock) {}
        }
    }

    private static func sentence(_ kept: String?, _ isOnOneMachine: Bool, _ folder: String) -> String {
        let before = kept.map { " The previous tables are kept: \($0)." } ?? ""
        let next =
            isOnOneMachine
            ? "`rawmill library rebuild --library \(folder)` adds later photos."
            : "The cataloguer adds later photos once it runs; without one, run `rawmill library rebuild`."
        return "Restored the library's tables from the backup.\(before) \(next)"
    }

    /// The ledger of local runs needs its broker, which a backup does not contain.
    private static func requireCluster(_ folder: String, _ state: String?) throws {
        guard state == nil, LocalLibrary.hasBroker(folder) else { return }
        throw CommandFailure(
            "--ledger: the ledger of local runs is useless without their broker, which backups do not contain. "
                + "Leave --ledger out; the next `rawmill convert` plans its files again, and renders none twice."
        )
    }
}
