import Jobs
import Library

/// Has photos developed again without that `photos/` shows the results.
protocol HeldWorks: Works {
    /// The recipes with the changes.
    ///
    /// - Throws: `UsageError` for a recipe that cannot be rendered.
    func apply(_ changes: RecipeChanges, to recipes: [Recipe]) async throws -> [EditedRecipe]

    /// Looks for the RAWs.
    ///
    /// - Returns: what has the photos rendered, and returns when all have ended, with those that failed.
    /// - Throws: `ServiceError` where a photo cannot be developed again.
    func hold(
        _ photos: [(photo: PhotoReviser.Photo, edited: EditedRecipe)]
    ) async throws -> @Sendable () async throws -> [ShownFailure]
}
