import Arguments
import Campaigns
import CommandLineTool
import LibraryTables
import Runs
import Telemetry
internal import Upkeep

/// `rawmill campaign …`: develops a part of a library again, and switches all of it, or back, in one step.
enum CampaignCommand {
    static let group: Command = Command(
        "campaign", summary: "Develop part of a library again: plan, sample, render, switch, roll back.",
        subcommands: [
            CampaignPlanCommand.command, list, show, CampaignCanaryCommand.command, CampaignRunCommand.command,
            CampaignShowCommands.switchTo, CampaignShowCommands.rollback, CampaignShowCommands.free,
        ])

    static let name: Parameter<String> = .positional("NAME", help: "Name of the campaign.")

    private static let list: Command = Command(
        "list", summary: "List a library's campaigns.", parameters: [LibraryOption.parameter, LibraryOption.json]
    ) { values in
        let campaigns = try Campaigns(library: values[LibraryOption.parameter], isReading: true).all()
        if campaigns.isEmpty { EmptyList.note("The library has no campaigns.", isText: !values[LibraryOption.json]) }
        for campaign in campaigns {
            CampaignReport.write(campaign, nil, asJSON: values[LibraryOption.json])
        }
        return ExitStatus.done
    }

    private static let show: Command = Command(
        "show", summary: "Show a campaign's progress.",
        parameters: [name, LibraryOption.parameter, LibraryOption.json]
    ) { values in
        try perform(values, isReading: true) { campaigns, campaign in
            let progress = try campaigns.progress(of: campaign)
            CampaignReport.write(campaign, progress, asJSON: values[LibraryOption.json])
            return ExitStatus.done
        }
    }

    /// Opens the campaign of the command line, with its errors as the command's.
    static func perform(
        _ values: ArgumentValues, mode: LibraryMode = .read, isReading: Bool = false,
        _ body: (Campaigns, Campaign) throws -> Int32
    ) throws -> Int32 {
        do {
            let campaigns = try Campaigns(
                library: values[LibraryOption.parameter], mode: mode, isReading: isReading)
            return try body(campaigns, try campaigns.campaign(values[name]))
        } catch let error as CampaignError { throw failure(error) }
    }

    static func failure(_ error: CampaignError) -> CommandFailure { CommandFailure(TerminalText.escape("\(error)")) }
}

/// `rawmill campaign switch | rollback | gc`: which renditions of a campaign `photos/` shows, and which the library
/// keeps.
enum CampaignShowCommands {
    private static let partial: Parameter<Bool> = .flag(
        "partial", help: "Switch even if some photos are not rendered; those stay unchanged.")

    static let switchTo: Command = Command(
        "switch", summary: "Switch all photos of a campaign to their new renditions, in one step.",
        discussion: """
            Photos that were edited after the campaign was planned stay unchanged, and are counted. `rawmill \
            campaign rollback` switches back; `rawmill undo` does so for one photo.
            """,
        parameters: [CampaignCommand.name, LibraryOption.parameter, partial, LibraryOption.json]
    ) { values in
        try CampaignCommand.perform(values, mode: .change) { campaigns, campaign in
            let report = try campaigns.show(campaign, isPartial: values[partial])
            CampaignReport.write(report, "shown", asJSON: values[LibraryOption.json])
            return report.missing > 0 ? ExitStatus.someFailed : ExitStatus.done
        }
    }

    static let rollback: Command = Command(
        "rollback", summary: "Switch all photos of a campaign back, in one step.",
        parameters: [CampaignCommand.name, LibraryOption.parameter, LibraryOption.json]
    ) { values in
        try CampaignCommand.perform(values, mode: .change) { campaigns, campaign in
            let report = try campaigns.rollBack(campaign)
            CampaignReport.write(report, "shown as before", asJSON: values[LibraryOption.json])
            return report.missing > 0 ? ExitStatus.someFailed : ExitStatus.done
        }
    }

    static let free: Command = Command(
        "gc", summary: "End a campaign and delete the renditions it does not show.",
        discussion: """
            After a switch, the old renditions are deleted; otherwise the campaign's own. Renditions that were \
            selected since, or that other photos show, are kept. Without --yes, show what would be deleted. This \
            cannot be undone.
            """,
        parameters: [CampaignCommand.name, LibraryOption.parameter, LibraryOption.yes, LibraryOption.json]
    ) { values in
        let roots = try await SourceRoots.existing(library: values[LibraryOption.parameter])
        let isDone = values[LibraryOption.yes]
        return try CampaignCommand.perform(values, mode: isDone ? .change : .read) { campaigns, campaign in
            let freed = try campaigns.free(campaign, roots: roots, isDryRun: !isDone)
            let output = TextOutput.standardOutput
            if values[LibraryOption.json] {
                output.write(
                    event: "freed",
                    [
                        "photos": freed.photos,
                        "bytes": freed.bytes,
                        "removed": isDone,
                    ])
            } else {
                let what = "\(SummaryText.counted(freed.photos, "rendition")), \(NumberText.bytes(freed.bytes))"
                output.write(line: isDone ? "Freed \(what)." : "Would free \(what). Nothing was removed: add --yes.")
            }
            return ExitStatus.done
        }
    }
}
