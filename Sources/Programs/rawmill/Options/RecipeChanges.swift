import Arguments
import CommandLineTool
import Coordinator
import Jobs
import Storage

/// What is changed about recipes that photos have.
struct RecipeChanges {
    private let request: PictureRequest
    private let profiles: ProfileSelection?
    private let library: String
    /// The looks of the recipes, by the recipe's own look.
    private var looks: [LookReference: LookSelection] = [:]

    /// The options that can be given.
    static let all: [any AnyParameter] = SettingOptions.all

    /// - Parameter library: the library's folder.
    /// - Throws: `UsageError` where a setting has several values: a photo has one recipe.
    init(_ request: PictureRequest, library: String) throws {
        self.request = request
        self.library = library
        profiles = try request.profile.map { try ProfileSelection($0, command: request.source.command) }
        for name in Set(request.names).sorted() where request.count(name) > 1 {
            throw request.source.error(
                "\(request.source.label(name)) is given \(request.count(name)) times, and an edit has one. To have a photo "
                    + "several times, use `rawmill convert`.")
        }
    }

    /// True if nothing was given.
    var isEmpty: Bool { request.isEmpty }

    /// The settings that were given, for people, and the look: `--look velvet@2 --exposure`.
    var text: String {
        let look = request.looks.first.map { ["--look \($0.value)"] } ?? []
        return (look + request.names.filter { $0 != "look" }.map { "--\($0)" }).joined(separator: " ")
    }

    /// Reads and checks the look that a recipe's photo is to have.
    ///
    /// - Throws: `UsageError`.
    mutating func readLook(for recipe: Recipe) async throws {
        let given = request.looks.first?.value
        guard given != nil || request.adjustments.isGiven, looks[recipe.look] == nil else { return }
        looks[recipe.look] = try await LookSelection(
            given ?? PathArgument(text: recipe.look.description), request.adjustments, library: library,
            source: request.source)
    }

    /// True if the photo of a recipe gets a look of the user's own, to which a ledger gives its version.
    func hasOwnLook(for recipe: Recipe) -> Bool { looks[recipe.look]?.isUserLook ?? false }

    /// Stores looks and profiles of the user's own in the library.
    func store(in library: Root) throws {
        for look in looks.values { try look.store(in: library) }
        try profiles?.store(in: library)
    }

    /// The recipe with the changes.
    ///
    /// - Parameters:
    ///   - ledger: gives versions to the user's own looks.
    ///   - recording: whether a new version is written to it.
    /// - Throws: `UsageError` for a recipe that cannot be rendered.
    func applied(to recipe: Recipe, in ledger: LedgerStore? = nil, recording: Bool = true) throws -> Recipe {
        var recipe = recipe
        if let look = looks[recipe.look] { recipe.look = try look.reference(in: ledger, recording: recording) }
        if let profiles { recipe.cameraProfiles = profiles.digest }
        return try request.changed(recipe)
    }
}
