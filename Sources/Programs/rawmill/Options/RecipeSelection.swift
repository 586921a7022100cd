import Arguments
import CommandLineTool
import Coordinator
import Jobs
import Looks
import Storage
import Telemetry

/// The recipes that a command line asks for: every look in every size and quality.
struct RecipeSelection {
    private let looks: [LookSelection]
    private let lenses: LensTableSelection
    private let profiles: ProfileSelection?
    private let library: String?
    private let values: ArgumentValues

    /// Reads and checks the looks before anything is started.
    ///
    /// - Parameters:
    ///   - library: the folder whose own looks are known by name.
    ///   - isDryRun: whether nothing may be written.
    /// - Throws: `UsageError` for a look that is not there, and for two looks of one name, whose photos would overwrite each other.
    init(_ values: ArgumentValues, library: String?, isDryRun: Bool = false) async throws {
        // First, because it goes on in the background.
        lenses = LensTableSelection(
            isWanted: library != nil && values[ConvertOptions.lens].isCorrected, library: library, isKept: !isDryRun)
        var looks: [LookSelection] = []
        let adjustments = LookAdjustments(values)
        for argument in distinctValues(values[ConvertOptions.look], else: ConvertOptions.usualLook) {
            let look = try await LookSelection(
                argument, adjustments, library: library, command: values.command)
            if let other = looks.first(where: { $0.look.name == look.look.name }) {
                // The same look, named in two ways, is rendered once.
                if other.look.digest == look.look.digest { continue }
                throw Self.sameName(other.look, look.look, values.command)
            }
            looks.append(look)
        }
        self.looks = looks
        profiles = try values[ConvertOptions.cameraProfiles].map {
            try ProfileSelection($0, command: values.command)
        }
        self.values = values
        self.library = library
    }

    private static func sameName(_ first: Look, _ second: Look, _ command: [String]) -> UsageError {
        let name = TerminalText.escape(first.name)
        return UsageError(
            "--look: two different looks are called \(name), so their photos would have the same names. "
                + "Render them in two runs with other --out or --library folders, or give a .cube file another name.",
            command: command)
    }

    /// Stores the user's own looks and profiles, and the lens table, in the library, where every render process finds them.
    func store(in library: Root) throws {
        for look in looks { try look.store(in: library) }
        try profiles?.store(in: library)
        try lenses.store(in: library)
    }

    /// Leaves lenses alone that the files do not describe: there is no lens table, and none can be stored.
    func renounceLenses() { lenses.renounce() }

    /// True where there are looks or profiles of the user's own.
    var hasUserFiles: Bool { profiles != nil || looks.contains(where: \.isUserLook) }

    /// A recipe, and whether its look is the user's own.
    struct Selected {
        let recipe: Recipe
        let hasUserLook: Bool
    }

    /// The recipes, each once.
    ///
    /// - Parameters:
    ///   - ledger: gives versions to the user's own looks; nil for none.
    ///   - recording: whether a new version is written to it.
    /// - Throws: `UsageError` where the options contradict each other.
    func recipes(in ledger: LedgerStore?, recording: Bool) throws -> [Selected] {
        var seen: Set<Recipe> = []
        var selected: [Selected] = []
        let lensTable = try lenses.digest(library: library)
        for look in looks {
            let reference = try look.reference(in: ledger, recording: recording)
            for var recipe in try ConvertOptions.recipes(values, look: reference, lensTable: lensTable) {
                recipe.cameraProfiles = profiles?.digest
                guard seen.insert(recipe).inserted else { continue }
                selected.append(Selected(recipe: recipe, hasUserLook: look.isUserLook))
            }
        }
        return selected
    }
}
