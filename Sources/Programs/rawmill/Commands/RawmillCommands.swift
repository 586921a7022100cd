import Arguments
import CommandLineTool

/// The tree of commands.
enum RawmillCommands {
    static let program: Program = Program(
        Command(
            "rawmill",
            summary:
                "Turns camera RAW files into photographs with a film look, and keeps each with its RAW and recipe.",
            examples: [
                .init("rawmill convert ~/Pictures/raw --library ~/Pictures/film", "a folder of RAWs becomes a library"),
                .init("rawmill sample --out raw --count 8", "without a camera: make some RAWs first"),
            ],
            subcommands: [
                ConvertCommand.command, WatchCommand.command, EditCommand.command, UndoCommand.undo, UndoCommand.redo,
                RevertCommand.command,
                ServeCommand.command, DropsCommand.group, LibraryCommand.group, AlbumCommand.group,
                CampaignCommand.group,
                LensesCommand.group,
                LooksCommand.group,
                SampleCommand.command,
                StatusCommand.command, AuditCommand.command, RetryCommand.command,
                TopicsCommand.group, CoordinatorCommand.command, CatalogueCommand.command, WorkerCommand.command,
                SubmitCommand.command,
            ] + ControlCommands.all + [
                DeadLettersCommand.group, TortureCommand.command, CamerasCommand.command, DoctorCommand.command,
                HealthCommand.command, CompletionCommand.command, ManualCommand.command, HelpCommand.command,
                VersionCommand.command,
            ]),
        version: Version.number, shared: SharedOptions.all)

    /// What `rawmill version` prints.
    static let versionText = Version.text(of: "rawmill")

    static let runner = CommandRunner(program, versionText: versionText, settings: SettingsOption.open) { values in
        LibraryUpdateLog.start(RoleLog.quiet(values))
    }
}
