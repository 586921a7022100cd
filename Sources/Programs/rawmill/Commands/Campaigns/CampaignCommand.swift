import Arguments
import CommandLineTool
import Library
import Runs
import Telemetry

/// `rawmill campaign …`: develops a part of a library anew, shows all of it in one step, and goes back in one step.
enum CampaignCommand {
    static let group: Command = Command(
        "campaign", summary: "Develops a part of a library anew: plan, try, render, switch, and go back.",
        subcommands: [
            CampaignPlanCommand.command, list, show, CampaignCanaryCommand.command, CampaignRunCommand.command,
            CampaignShowCommands.switchTo, CampaignShowCommands.rollback, CampaignShowCommands.free,
        ])

    static let name: Parameter<String> = .positional("NAME", help: "The campaign's name.")

    private static let list: Command = Command(
        "list", summary: "Lists a library's campaigns.", parameters: [LibraryOption.parameter, LibraryOption.json]
    ) { values in
        let campaigns = try Campaigns(library: values[LibraryOption.parameter], isReading: true)
        for campaign in try campaigns.all() {
            CampaignReport.write(campaign, nil, asJSON: values[LibraryOption.json])
        }
        return ExitStatus.done
    }

    private static let show: Command = Command(
        "show", summary: "Shows how far a campaign is.",
        parameters: [name, LibraryOption.parameter, LibraryOption.json]
    ) { values in
        try perform(values, isReading: true) { campaigns, campaign in
            let progress = try campaigns.progress(of: campaign)
            CampaignReport.write(campaign, progress, asJSON: values[LibraryOption.json])
            return ExitStatus.done
        }
    }

    /// Opens the campaign that the command line names. Its errors are for people.
    static func perform(
        _ values: ArgumentValues, mode: LibraryStore.Mode = .read, isReading: Bool = false,
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

/// `rawmill campaign switch | rollback | gc`: what `photos/` shows of a campaign, and what the library keeps of it.
enum CampaignShowCommands {
    private static let partial: Parameter<Bool> = .flag(
        "partial", help: "Also if not all of it is rendered: photos without a new rendition stay as they are.")

    static let switchTo: Command = Command(
        "switch", summary: "Shows what a campaign made, all of it in one step.",
        discussion: """
            Photos that people edited since the campaign was planned stay as they are, and are counted. `rawmill campaign \
            rollback` goes back; `rawmill undo` does so for one photo.
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
        "rollback", summary: "Shows again what was there before a campaign, all of it in one step.",
        parameters: [CampaignCommand.name, LibraryOption.parameter, LibraryOption.json]
    ) { values in
        try CampaignCommand.perform(values, mode: .change) { campaigns, campaign in
            let report = try campaigns.rollBack(campaign)
            CampaignReport.write(report, "shown as before", asJSON: values[LibraryOption.json])
            return report.missing > 0 ? ExitStatus.someFailed : ExitStatus.done
        }
    }

    static let free: Command = Command(
        "gc", summary: "Ends a campaign: frees the renditions that it does not show.",
        discussion: """
            Of a campaign that was switched to, the renditions before it go; of any other one those that it made. What people \
            chose since, and what other photos show, stays. Without --yes it says what would go. There is no way back after it.
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
