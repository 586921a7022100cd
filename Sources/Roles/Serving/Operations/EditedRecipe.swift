package import Jobs
package import LibraryTables

package struct EditedRecipe: Hashable, Sendable {
    package let recipe: Recipe
    /// True for a user's look, whose version comes from the coordinator.
    package var hasOwnLook = false

    package init(recipe: Recipe, hasOwnLook: Bool = false) {
        self.recipe = recipe
        self.hasOwnLook = hasOwnLook
    }

    package func fits(_ record: RecipeRecord) -> Bool {
        guard hasOwnLook, case .recipe(var made) = record.adjustment.reading else { return record.id == recipe.id }
        guard made.look.name == recipe.look.name, made.look.digest == recipe.look.digest else { return false }
        made.look = recipe.look
        return made == recipe
    }
}
