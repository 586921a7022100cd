import Arguments

enum LibraryCommand {
    static let group: Command = Command(
        "library", summary: "List, show, check, back up and remove the contents of a library.",
        subcommands: [
            LibraryListCommand.command, LibraryShowCommand.command, LibraryVerifyCommand.command,
            LibraryRescanCommand.command, LibraryReproduceCommand.command,
            LibraryBackupCommand.command, LibraryRestoreCommand.command, LibraryRebuildCommand.command,
            LibraryMigrateCommand.command, LibraryRemoveCommand.command,
            LibraryPruneCommand.command,
        ])
}
