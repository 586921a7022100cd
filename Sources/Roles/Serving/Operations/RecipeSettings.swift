package import Coordinator
package import JSON
package import Jobs
package import Looks
package import Storage
package import Web
package import WebService

/// Makes recipes of the picture settings that requests name. The program implements it, because it has the settings.
package protocol RecipeSettings: Sendable {
    /// Settings as a query gives them: `look=velvet&exposure=0.5`. Fields of other names are ignored.
    ///
    /// - Throws: `ServiceError` for a value that is out of range or unreadable.
    func request(_ fields: [Request.Field]) throws(ServiceError) -> any RecipeRequest

    /// Settings as a JSON object gives them, whose values are texts, numbers or true and false.
    ///
    /// - Throws: `ServiceError` for an unknown name, and for a value that is out of range or unreadable.
    func request(_ fields: [String: JSONValue]) throws(ServiceError) -> any RecipeRequest

    /// Looks that the user imported. One that cannot be read is left out.
    func importedLooks() -> [Look]

    /// One sentence about a look that the library got as a file, or why it cannot be read.
    func summary(of look: LookReference) -> String
}

/// The picture settings of one request.
package protocol RecipeRequest: Sendable {
    /// Recipes of new photos. What they need is stored in the library.
    ///
    /// - Throws: `ServiceError`, `StorageError`.
    func newRecipes() async throws -> any RecipeSource

    /// One recipe, for a picture that is not kept.
    ///
    /// - Throws: `ServiceError`, `StorageError`.
    func recipe() async throws -> Recipe

    /// What an edit changes about the recipes that photos have.
    ///
    /// - Throws: `ServiceError` where a setting has several values.
    func changes() throws(ServiceError) -> any RecipeEdit
}

/// Recipes of new photos.
package protocol RecipeSource: Sendable {
    /// Each recipe once.
    ///
    /// - Parameters:
    ///   - ledger: gives versions to the user's own looks; nil for none.
    ///   - recording: whether a new version is written to it.
    func recipes(in ledger: LedgerStore?, recording: Bool) throws -> [EditedRecipe]
}

/// What an edit changes about recipes.
package protocol RecipeEdit: Sendable {
    /// True if it changes nothing.
    var isEmpty: Bool { get }

    /// Reads and checks the look that the photo of a recipe is to have. Call it before `applied` with that recipe.
    ///
    /// - Throws: `ServiceError`.
    mutating func readLook(for recipe: Recipe) async throws

    /// True if the photo of a recipe gets a look of the user's own, whose version a ledger gives.
    func hasOwnLook(for recipe: Recipe) -> Bool

    /// Stores looks and camera profiles of the user's own in the library.
    func store(in library: Root) throws

    /// The recipe with the changes.
    ///
    /// - Parameters:
    ///   - ledger: gives versions to the user's own looks; nil for none.
    ///   - recording: whether a new version is written to it.
    /// - Throws: `ServiceError` for a recipe that cannot be rendered.
    func applied(to recipe: Recipe, in ledger: LedgerStore?, recording: Bool) throws -> Recipe
}
