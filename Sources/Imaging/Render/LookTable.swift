public import Jobs
internal import Looks
internal import Manifests
public import Storage

/// Where the table of a user's own look is.
public enum LookTable {
    /// Opens the table of a look that is in the library.
    ///
    /// - Returns: nil for a look that is built in, and for one that the library does not have.
    public static func open(_ look: LookReference, in library: Root) throws(Failure) -> OpenFile? {
        if builtIn(look) != nil { return nil }
        do throws(StorageError) { return try OpenFile(LibraryLayout.look(look.digest).bytes, in: library) } catch {
            if error.kind == .notFound { return nil }
            throw Failure(library: error)
        }
    }

    static func builtIn(_ reference: LookReference) -> Look? {
        LookCatalogue.builtIn.looks.first { $0.name == reference.name && $0.digest == reference.digest }
    }
}
