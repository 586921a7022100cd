internal import Jobs
internal import Looks
internal import Manifests
internal import Pixels
internal import Storage

/// The looks of this process: the built-in ones, and users' `.cube` tables once a job used them.
struct LookCache {
    private let library: Root
    private var looks: [LookReference: Look] = [:]
    /// A table is at most a few hundred megabytes of text; the limit is for files that are no tables.
    private static let maxCubeBytes: UInt64 = 1 << 30
    private static let maxLooks = 8

    init(library: Root) {
        self.library = library
    }

    /// The recipe's look as an operation on rows.
    ///
    /// - Throws: `unknown-look` for a look that is not here, or whose definition differs from the recipe's.
    mutating func stage(_ recipe: Recipe) throws(Failure) -> any RowStage {
        try look(recipe.look).stage(strength: recipe.lookStrength)
    }

    /// The look in full strength; nil where anything is wrong with it.
    mutating func prepare(_ reference: LookReference) -> (any RowStage)? { try? look(reference).stage() }

    private mutating func look(_ reference: LookReference) throws(Failure) -> Look {
        if let look = looks[reference] { return look }
        // Not `??`, whose right side throws untyped.
        let look: Look
        if let found = builtIn(reference) { look = found } else { look = try table(reference) }
        guard look.digest == reference.digest else {
            throw Failure(
                .unknownLook, "The look \(reference) here is not the one the job asks for: their contents differ.")
        }
        if looks.count >= Self.maxLooks { looks.removeAll() }
        looks[reference] = look
        return look
    }

    private func builtIn(_ reference: LookReference) -> Look? {
        LookCatalogue.builtIn.looks.first { $0.name == reference.name && $0.digest == reference.digest }
    }

    private func table(_ reference: LookReference) throws(Failure) -> Look {
        let path = LibraryLayout.look(reference.digest)
        let bytes: [UInt8]
        do throws(StorageError) {
            bytes = try library.contents(of: path.bytes, limitBytes: Self.maxCubeBytes)
        } catch {
            throw error.kind == .notFound
                ? Failure(.unknownLook, "There is no look \(reference).") : Failure(library: error)
        }
        do throws(CubeError) {
            return try Look(cube: bytes, fileName: reference.name + ".cube")
        } catch {
            throw Failure(.unknownLook, "The table of the look \(reference) is damaged: \(error)")
        }
    }
}
