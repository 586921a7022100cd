import Arguments
import CommandLineTool
import Coordinator
import Jobs
import Storage

/// The recipes that a command line asks for: every look in every size and quality.
struct RecipeSelection {
    private let looks: [LookSelection]
    private let values: ArgumentValues

    /// Reads and checks the looks before anything is started.
    ///
    /// - Parameter library: the folder whose own looks are known by name.
    /// - Throws: `UsageError` for a look that is not there.
    init(_ values: ArgumentValues, library: String?) async throws {
        var looks: [LookSelection] = []
        for argument in distinctValues(values[ConvertOptions.look], else: ConvertOptions.usualLook) {
            looks.append(try await LookSelection(argument, library: library, command: values.command))
        }
        self.looks = looks
        self.values = values
    }

    /// Stores the user's own looks in the library, where every render process finds them.
    func store(in library: Root) throws { for look in looks { try look.store(in: library) } }

    /// True where one of the looks is the user's own.
    var hasUserLook: Bool { looks.contains(where: \.isUserLook) }

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
        for look in looks {
            let reference = try look.reference(in: ledger, recording: recording)
            for recipe in try ConvertOptions.recipes(values, look: reference) where seen.insert(recipe).inserted {
                selected.append(Selected(recipe: recipe, hasUserLook: look.isUserLook))
            }
        }
        return selected
    }
}
