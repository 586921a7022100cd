internal import Digest
public import Jobs
public import Looks
internal import Manifests
public import Storage

/// What a library has of a recipe's own: tables that photos are developed by.
public enum RecipeFiles {
    /// Opens the table of a look that is in the library.
    ///
    /// - Returns: nil for a look that is built in, and for one that the library does not have.
    public static func lookTable(_ look: LookReference, in library: Root) throws(Failure) -> OpenFile? {
        builtIn(look) != nil ? nil : try open(LibraryLayout.look(look.digest), in: library)
    }

    /// Opens the lens table that a recipe names.
    ///
    /// - Returns: nil for a recipe that uses none, and where the library does not have it.
    static func lensTable(_ recipe: Recipe, in library: Root) throws(Failure) -> OpenFile? {
        guard !recipe.keepsLens, let digest = recipe.lensTable else { return nil }
        return try open(LibraryLayout.lensTable(digest), in: library)
    }

    /// Opens the packed camera profiles that a recipe names.
    ///
    /// - Returns: nil for a recipe without, and where the library does not have them.
    static func cameraProfiles(_ recipe: Recipe, in library: Root) throws(Failure) -> OpenFile? {
        guard let digest = recipe.cameraProfiles else { return nil }
        return try open(LibraryLayout.cameraProfiles(digest), in: library)
    }

    /// The look that comes with the program; nil for a user's own.
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
