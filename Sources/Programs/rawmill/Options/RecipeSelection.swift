import Arguments
import CommandLineTool
import Coordinator
import Jobs
import Looks
import Storage
import Telemetry

/// The requested recipes: every look in every size and quality.
struct RecipeSelection {
    private let looks: [LookSelection]
    private let lenses: LensTableSelection
    private let profiles: ProfileSelection?
    private let library: String?
    private let request: PictureRequest

    /// Reads and checks the looks before any work starts.
    ///
    /// - Parameters:
    ///   - library: the folder whose own looks are known by name.
    ///   - isDryRun: whether to write nothing.
    /// - Throws: `UsageError` for an unknown look, and for two looks of one name, whose photos would overwrite each
    ///   other.
    init(_ request: PictureRequest, library: String?, isDryRun: Bool = false) async throws {
        // First, because it continues in the background.
        lenses = LensTableSelection(
            isWanted: library != nil && request.text("lens") != "off", library: library, isKept: !isDryRun)
        var looks: [LookSelection] = []
        let names = distinctValues(request.looks)
        for argument in names.isEmpty ? [SettingOptions.usualLook] : names {
            let look = try await LookSelection(
                argument, request.adjustments, library: library, source: request.source)
            if let other = looks.first(where: { $0.look.name == look.look.name }) {
                // A look that is named in two ways is rendered once.
                if other.look.digest == look.look.digest { continue }
                throw Self.sameName(other.look, look.look, request.source)
            }
            looks.append(look)
        }
        self.looks = looks
        profiles = try request.profile.map { try ProfileSelection($0, command: request.source.command) }
        self.request = request
        self.library = library
    }

    private static func sameName(_ first: Look, _ second: Look, _ source: SettingSource) -> UsageError {
        let name = TerminalText.escape(first.name)
        return source.error(
            "\(source.label("look")): two different looks are called \(name), so their photos would have the same names. "
                + "Render them in two runs with other --out or --library folders, or give a .cube file another name.")
    }

    /// Stores the user's own looks and profiles, and the lens table, in the library, where every render process finds
    /// them.
    func store(in library: Root) throws {
        for look in looks { try look.store(in: library) }
        try profiles?.store(in: library)
        try lenses.store(in: library)
    }

    /// Corrects only lens faults that the files describe, because no lens table can be stored.
    func renounceLenses() { lenses.renounce() }

    var hasUserFiles: Bool { profiles != nil || looks.contains(where: \.isUserLook) }

    /// A recipe, and whether its look is the user's own.
    struct Selected {
        let recipe: Recipe
        let hasUserLook: Bool
    }

    /// The distinct recipes.
    ///
    /// - Parameters:
    ///   - ledger: gives versions to the user's own looks; nil for none.
    ///   - recording: whether to write a new version to it.
    /// - Throws: `UsageError` for contradicting options.
    func recipes(in ledger: LedgerStore?, recording: Bool) throws -> [Selected] {
        var seen: Set<Recipe> = []
        var selected: [Selected] = []
        let lensTable = try lenses.digest(library: library)
        for look in looks {
            let reference = try look.reference(in: ledger, recording: recording)
            for var recipe in try request.recipes(look: reference, lensTable: lensTable) {
                recipe.cameraProfiles = profiles?.digest
                guard seen.insert(recipe).inserted else { continue }
                selected.append(Selected(recipe: recipe, hasUserLook: look.isUserLook))
            }
        }
        return selected
    }
}
