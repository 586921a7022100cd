internal import Digest
public import Jobs
public import Looks
internal import Manifests
public import Storage

/// The tables in a library that recipes refer to.
public enum RecipeFiles {
    /// Opens the file of a look.
    ///
    /// - Returns: nil for a built-in look, and if the file is missing.
    public static func lookTable(_ look: LookReference, in library: Root) throws(Failure) -> OpenFile? {
        builtIn(look) != nil ? nil : try open(LibraryLayout.look(look.digest), in: library)
    }

    /// Opens the lens table of a recipe.
    ///
    /// - Returns: nil if the recipe uses none, and if the file is missing.
    static func lensTable(_ recipe: Recipe, in library: Root) throws(Failure) -> OpenFile? {
        guard !recipe.keepsLens, let digest = recipe.lensTable else { return nil }
        return try open(LibraryLayout.lensTable(digest), in: library)
    }

    /// Opens the packed camera profiles of a recipe.
    ///
    /// - Returns: nil if the recipe uses none, and if the file is missing.
    static func cameraProfiles(_ recipe: Recipe, in library: Root) throws(Failure) -> OpenFile? {
        guard let digest = recipe.cameraProfiles else { return nil }
        return try open(LibraryLayout.cameraProfiles(digest), in: library)
    }

    /// The built-in look; nil for a user's own look.
    public static func builtIn(_ reference: LookReference) -> Look? {
        LookCatalogue.builtIn.looks.first { $0.name == reference.name && $0.digest == reference.digest }
    }

    private static func open(_ path: RelativePath, in library: Root) throws(Failure) -> OpenFile? {
        do throws(StorageError) { return try OpenFile(path.bytes, in: library) } catch {
            if error.kind == .notFound { return nil }
            throw Failure(library: error)
        }
    }
}
