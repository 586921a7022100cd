package import Jobs
package import Library

/// A photo that is developed again with another recipe.
package struct EditedRecipe: Hashable, Sendable {
    package let recipe: Recipe
    /// True where the look is the user's own: its version is the coordinator's to give.
    package var hasOwnLook = false

    package init(recipe: Recipe, hasOwnLook: Bool = false) {
        self.recipe = recipe
        self.hasOwnLook = hasOwnLook
    }

    /// True for a rendition's recipe that is this one.
    package func fits(_ record: RecipeRecord) -> Bool {
        guard hasOwnLook, case .recipe(var made) = record.adjustment.reading else { return record.id == recipe.id }
        guard made.look.name == recipe.look.name, made.look.digest == recipe.look.digest else { return false }
        made.look = recipe.look
        return made == recipe
    }
}
