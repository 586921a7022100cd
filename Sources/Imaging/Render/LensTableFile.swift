public import Jobs
internal import Manifests
public import Storage

/// Where a recipe's lens table is.
public enum LensTableFile {
    /// Opens the lens table that a recipe names.
    ///
    /// - Returns: nil for a recipe that uses none, and where the library does not have it.
    public static func open(_ recipe: Recipe, in library: Root) throws(Failure) -> OpenFile? {
        guard !recipe.keepsLens, let digest = recipe.lensTable else { return nil }
        do throws(StorageError) { return try OpenFile(LibraryLayout.lensTable(digest).bytes, in: library) } catch {
            if error.kind == .notFound { return nil }
            throw Failure(library: error)
        }
    }
}
