import Arguments
import CommandLineTool
import Coordinator
import Jobs
import Storage

/// Changes to the recipes of existing photos.
struct RecipeChanges {
    private let request: PictureRequest
    private let profiles: ProfileSelection?
    private let library: String
    /// The new looks, by the recipe's own look.
    private var looks: [LookReference: LookSelection] = [:]

    static let all: [any AnyParameter] = SettingOptions.all

    /// - Parameter library: the library's folder.
    /// - Throws: `UsageError` if a setting has several values: a photo has one recipe.
    init(_ request: PictureRequest, library: String) throws {
        self.request = request
        self.library = library
        profiles = try request.profile.map { try ProfileSelection($0, command: request.source.command) }
        for name in Set(request.names).sorted() where request.count(name) > 1 {
            throw request.source.error(
                "\(request.source.label(name)) is given \(request.count(name)) times, but an edit has one value. To make "
                    + "several photos, use `rawmill convert`.")
        }
    }

    var isEmpty: Bool { request.isEmpty }

    /// The given settings, for display: `--look velvet@2 --exposure`.
    var text: String {
        let look = request.looks.first.map { ["--look \($0.value)"] } ?? []
        return (look + request.names.filter { $0 != "look" }.map { "--\($0)" }).joined(separator: " ")
    }

    /// Reads and checks the new look of a recipe's photo. Throws `UsageError`.
    mutating func readLook(for recipe: Recipe) async throws {
        let given = request.looks.first?.value
        guard given != nil || request.adjustments.isGiven, looks[recipe.look] == nil else { return }
        looks[recipe.look] = try await LookSelection(
            given ?? PathArgument(text: recipe.look.description), request.adjustments, library: library,
            source: request.source)
    }

    /// Whether the new look is the user's own, whose version comes from a ledger.
    func hasOwnLook(for recipe: Recipe) -> Bool { looks[recipe.look]?.isUserLook ?? false }

    func store(in library: Root) throws {
        for look in looks.values { try look.store(in: library) }
        try profiles?.store(in: library)
    }

    /// The recipe with the changes.
    ///
    /// - Parameters:
    ///   - ledger: gives versions to the user's own looks.
    ///   - recording: whether to write a new version to it.
    /// - Throws: `UsageError` for an invalid recipe.
    func applied(to recipe: Recipe, in ledger: LedgerStore? = nil, recording: Bool = true) throws -> Recipe {
        var recipe = recipe
        if let look = looks[recipe.look] { recipe.look = try look.reference(in: ledger, recording: recording) }
        if let profiles { recipe.cameraProfiles = profiles.digest }
        return try request.changed(recipe)
    }
}
