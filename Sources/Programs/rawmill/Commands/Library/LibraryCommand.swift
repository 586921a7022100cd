import Arguments

/// `rawmill library …`: looks after what was made.
enum LibraryCommand {
    static let group: Command = Command(
        "library", summary: "Lists, shows, checks, backs up and removes what is in a library.",
        subcommands: [
            LibraryListCommand.command, LibraryShowCommand.command, LibraryVerifyCommand.command,
            LibraryRescanCommand.command, LibraryReproduceCommand.command,
            LibraryBackupCommand.command, LibraryRestoreCommand.command, LibraryRebuildCommand.command,
            LibraryMigrateCommand.command, LibraryRemoveCommand.command,
            LibraryPruneCommand.command,
        ])
}
