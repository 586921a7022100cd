internal import Digest
internal import Jobs
internal import Lenses
internal import RenderJobs
internal import Storage

/// The last used lens table. Most jobs share one.
struct LensCache {
    private var known: (digest: SHA256Value, finder: LensFinder)?
    /// Debian's database has 700 kB. The limit is for files that are not tables.
    private static let maxBytes: UInt64 = 64 << 20

    /// The lens table of a recipe; nil if it uses none.
    ///
    /// - Throws: `Failure` if the table is missing, differs from the recipe's, or is damaged.
    mutating func table(_ recipe: Recipe, _ file: OpenFile?) throws(Failure) -> LensFinder? {
        guard !recipe.keepsLens, let digest = recipe.lensTable else { return nil }
        if let known, known.digest == digest { return known.finder }
        guard let file else {
            throw Failure(
                .unknownLook,
                "The lens table \(digest) is missing from the library. Submit the files again, or use --lens off."
            )
        }
        let bytes = try catchingLibraryErrors { () throws(StorageError) in try file.contents(limitBytes: Self.maxBytes)
        }
        guard SHA256Value(of: bytes) == digest else { throw Self.damaged(digest, "its digest does not match") }
        do throws(LensTableError) {
            let finder = LensFinder(try LensTable(bytes: bytes))
            known = (digest, finder)
            return finder
        } catch {
            throw Self.damaged(digest, error.description)
        }
    }

    private static func damaged(_ digest: SHA256Value, _ cause: String) -> Failure {
        Failure(
            .unknownLook,
            "The lens table \(digest) in the library is damaged: \(cause). Submit the files again, or use --lens off.")
    }
}
