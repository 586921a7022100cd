import Arguments
import CommandLineTool

enum RawmillCommands {
    static let program: Program = Program(
        Command(
            "rawmill",
            summary: """
                Convert camera RAW files into photos with a film look, and keep each photo with its RAW and recipe.
                """,
            examples: [
                .init(
                    "rawmill convert ~/Pictures/raw --library ~/Pictures/film",
                    "convert a folder of RAWs into a library"),
                .init("rawmill sample --out raw --count 8", "create sample RAWs"),
            ],
            sections: [
                .init("Convert", [ConvertCommand.command, WatchCommand.command, ServeCommand.command]),
                .init(
                    "Develop",
                    [
                        EditCommand.command, UndoCommand.undo, UndoCommand.redo, RevertCommand.command,
                        LooksCommand.group, CampaignCommand.group,
                    ]),
                .init(
                    "Library",
                    [
                        LibraryCommand.group, AlbumCommand.group, DropsCommand.group, StatusCommand.command,
                        RetryCommand.command, AuditCommand.command,
                    ]),
                .init(
                    "Cluster",
                    [
                        SubmitCommand.command, CoordinatorCommand.command, CatalogueCommand.command,
                        WorkerCommand.command, TopicsCommand.group,
                    ] + ControlCommands.all + [DeadLettersCommand.group]),
                .init(
                    "More",
                    [
                        CamerasCommand.command, LensesCommand.group, DoctorCommand.command, SampleCommand.command,
                        HelpCommand.command, VersionCommand.command, HealthCommand.command,
                        CompletionCommand.command, ManualCommand.command, TortureCommand.command,
                    ]),
            ]),
        version: Version.number, shared: SharedOptions.all)

    static let versionText = Version.text(of: "rawmill")

    static let runner = CommandRunner(
        program, versionText: versionText,
        settings: { (value) throws(UsageError) in try SettingsOption.open(value, for: program) }
    ) { LibraryUpdateLog.start(RoleLog.quiet($0)) }
}
