import Arguments
import Campaigns
import Clock
import CommandLineTool
import Coordinator
import Jobs
import Runs
import Telemetry

/// `rawmill campaign run NAME`: renders the missing photos of a campaign. `photos/` does not change.
enum CampaignRunCommand {
    private static let rate: Parameter<Double?> = .optional(
        "rate", "N", must: .within(0.001...10_000),
        help: "Maximum photos per second, averaged over half a minute.")

    static let command: Command = Command(
        "run", summary: "Render the rest of a campaign, without showing it.",
        discussion: """
            Press Ctrl-C to pause; the same command continues. Photos that cannot be rendered are reported, and \
            tried again by the next run.

            Exit status: 0 all rendered, 3 some photos are missing, 130 interrupted.
            """,
        parameters: [CampaignCommand.name, LibraryOption.parameter, rate] + WorkerOptions.all + ReportOptions.all
    ) { values in
        let folder = values[LibraryOption.parameter]
        let locator = try await RawLocator(library: folder)
        let console = Console(terminal: Terminal(descriptor: 2))
        var last: CampaignItem?
        var lost: [[FileReference]] = []
        while true {
            let page = try page(after: last, values)
            guard let end = page.last?.item else { break }
            last = end
            let watch = Stopwatch()
            var photos: [(source: [UInt8], recipe: Recipe)] = []
            for (item, raws) in page {
                if let path = locator.path(of: raws) { photos.append((path, item.recipe)) } else { lost.append(raws) }
            }
            let status = try await render(photos, values, console)
            if status == ExitStatus.interrupted { return status }
            if let rate = values[rate] {
                let due = Duration.seconds(Double(page.count) / rate)
                if watch.elapsed < due { try await Task.sleep(for: due - watch.elapsed) }
            }
        }
        for raws in lost.prefix(100) {
            let names = raws.map { "\($0)" }.joined(separator: ", ")
            TextOutput.standardError.write(line: TerminalText.escape("missing RAW: \(names)"))
        }
        return try CampaignCommand.perform(values) { campaigns, campaign in
            let progress = try campaigns.progress(of: campaign)
            if !values[ReportOptions.quiet] || values[ReportOptions.json] {
                CampaignReport.write(campaign, progress, asJSON: values[ReportOptions.json])
            }
            return progress.rendered < progress.photos ? ExitStatus.someFailed : ExitStatus.done
        }
    }

    private static func page(
        after last: CampaignItem?, _ values: ArgumentValues
    ) throws -> [(item: CampaignItem, raws: [FileReference])] {
        let limit = values[rate].map { max(1, min(5000, Int($0 * 30))) } ?? 5000
        do {
            let campaigns = try Campaigns(library: values[LibraryOption.parameter])
            let campaign = try campaigns.campaign(values[CampaignCommand.name])
            if campaign.state == .ended { throw CampaignError.state(campaign.name, campaign.state) }
            return try campaigns.missing(in: campaign, after: last, limit: limit)
        } catch let error as CampaignError { throw CampaignCommand.failure(error) }
    }

    /// Renders photos without showing them. Returns the run's exit status.
    static func render(
        _ photos: [(source: [UInt8], recipe: Recipe)], _ values: ArgumentValues, _ console: Console
    ) async throws -> Int32 {
        if photos.isEmpty { return ExitStatus.done }
        let showsProgress = console.terminal.isTerminal && !values[ReportOptions.noProgress]
        return try await LocalRun(values, to: .library(values[LibraryOption.parameter])).run(
            sources: photos.map(\.source),
            reporter: { roots in
                QuietReporter(
                    errors: .standardError, roots: roots,
                    progress: showsProgress ? ProgressLine(console: console) : nil)
            }
        ) { _ in UnpublishedRequests.requests(photos, lane: .bulk) }
    }
}
