import Arguments
import Campaigns
import CommandLineTool
import Coordinator
import Digest
import Jobs
internal import LibraryTables
import Runs
import Storage
import Telemetry
import Worker

enum CampaignPlanCommand {
    private static let slots: Parameter<Int?> = .optional(
        "slots", "N", must: .within(1...100_000),
        help: """
            Number of render processes, over all workers, for the time estimate. (default: that of a worker here)
            """)

    static let command: Command = Command(
        "plan", summary: "Plan a campaign: which photos, and which changes. Renders nothing.",
        discussion: """
            The given options change; all other settings stay. Without options, photos are rendered again by the \
            newest engine, unless it already made them.

            The manual page "Selecting photos" describes the language of --where.
            """,
        examples: [
            .init(
                "rawmill campaign plan velvet2 --where \"look = 'velvet@1' and taken < 2015\" --look velvet@2 --library film",
                "give older photos of one look its new version"),
            .init("rawmill campaign plan engine --where 'engine < 6' --library film", "photos of an older engine"),
        ],
        parameters: [CampaignCommand.name, LibraryOption.parameter, SelectionOption.parameter] + RecipeChanges.all
            + [slots, ConvertOptions.dryRun, LibraryOption.json]
    ) { values in
        let folder = values[LibraryOption.parameter]
        let isDone = !values[ConvertOptions.dryRun]
        let selection = try SelectionOption.selection(values)
        var changes = try RecipeChanges(PictureRequest(values, isEdit: true), library: folder)
        let campaigns = try Campaigns(library: folder)
        var known: [(digest: SHA256Value, recipe: Recipe)] = []
        for record in try campaigns.recipes(of: selection) {
            guard case .recipe(let recipe) = record.adjustment.reading else { continue }
            try await changes.readLook(for: recipe)
            known.append((record.id, recipe))
        }
        let targets = try await targets(known, changes, in: folder, isDone: isDone)
        do {
            let plan = try campaigns.plan(
                values[CampaignCommand.name], selection, changes: changes.text, targets: targets, isDryRun: !isDone)
            CampaignReport.write(
                plan, of: values[CampaignCommand.name], slots: values[slots] ?? WorkerSettings.defaultSlots,
                asJSON: values[LibraryOption.json])
        } catch let error as CampaignError { throw CampaignCommand.failure(error) }
        return ExitStatus.done
    }

    private static func targets(
        _ recipes: [(digest: SHA256Value, recipe: Recipe)], _ changes: RecipeChanges, in folder: String, isDone: Bool
    ) async throws -> [SHA256Value: Recipe] {
        guard let ledger = try Ledger.existing(library: folder) else {
            throw RunError.noLibrary(folder)
        }
        if isDone { try changes.store(in: try Root(path: folder)) }
        let targets = try await ledger.perform { store in
            try recipes.map { ($0.digest, try changes.applied(to: $0.recipe, in: store, recording: false)) }
        }
        await ledger.close()
        return Dictionary(targets) { first, _ in first }
    }
}
