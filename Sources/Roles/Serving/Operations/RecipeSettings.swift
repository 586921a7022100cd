package import Coordinator
package import JSON
package import Jobs
package import Looks
package import Storage
package import Web
package import WebService

/// Makes recipes from the picture settings of requests. The program implements it, because it defines the settings.
package protocol RecipeSettings: Sendable {
    /// Reads settings in a query: `look=velvet&exposure=0.5`. Ignores fields of other names. Throws `ServiceError` for
    /// a value that is out of range or unreadable.
    func request(_ fields: [Request.Field]) throws(ServiceError) -> any RecipeRequest

    /// Reads settings in a JSON object, whose values are texts, numbers or booleans. Throws `ServiceError` for an
    /// unknown name, and for a value that is out of range or unreadable.
    func request(_ fields: [String: JSONValue]) throws(ServiceError) -> any RecipeRequest

    /// The looks that the user imported, without unreadable ones.
    func importedLooks() -> [Look]

    /// One sentence about a user's look in the library, or the cause if it cannot be read.
    func summary(of look: LookReference) -> String
}

package protocol RecipeRequest: Sendable {
    /// Recipes of new photos. Stores their looks and profiles in the library. Throws `ServiceError`, `StorageError`.
    func newRecipes() async throws -> any RecipeSource

    /// One recipe, for a picture that is not kept. Throws `ServiceError`, `StorageError`.
    func recipe() async throws -> Recipe

    /// The changes of an edit. Throws `ServiceError` if a setting has several values.
    func changes() throws(ServiceError) -> any RecipeEdit
}

package protocol RecipeSource: Sendable {
    /// The recipes, each once.
    ///
    /// - Parameters:
    ///   - ledger: numbers the versions of the user's looks; nil for none.
    ///   - recording: true to write a new version to it.
    func recipes(in ledger: LedgerStore?, recording: Bool) throws -> [EditedRecipe]
}

package protocol RecipeEdit: Sendable {
    var isEmpty: Bool { get }

    /// Reads and checks the new look of a recipe's photo. Call it before `applied` with that recipe. Throws
    /// `ServiceError`.
    mutating func readLook(for recipe: Recipe) async throws

    /// True if the recipe gets a user's look, whose version comes from a ledger.
    func hasOwnLook(for recipe: Recipe) -> Bool

    /// Stores the user's looks and camera profiles in the library.
    func store(in library: Root) throws

    /// The recipe with the changes.
    ///
    /// - Parameters:
    ///   - ledger: numbers the versions of the user's looks; nil for none.
    ///   - recording: true to write a new version to it.
    /// - Throws: `ServiceError` for a recipe that cannot be rendered.
    func applied(to recipe: Recipe, in ledger: LedgerStore?, recording: Bool) throws -> Recipe
}
