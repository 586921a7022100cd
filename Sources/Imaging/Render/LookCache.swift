internal import Jobs
internal import Looks
internal import Memory
internal import Pixels
internal import RenderJobs
internal import Storage

/// The looks of this process: the built-in ones, and users' own once a job used them.
struct LookCache {
    private var looks = BoundedCache<LookReference, Look>(maxCount: 8)
    /// A table is at most a few hundred megabytes of text; the limit is for files that are no tables.
    private static let maxCubeBytes: UInt64 = 1 << 30

    /// The recipe's look as an operation on rows.
    ///
    /// - Parameter table: of a look that is not built in.
    /// - Throws: `unknown-look` for a look that is not here, or whose definition differs from the recipe's.
    mutating func stage(_ recipe: Recipe, table: OpenFile?) throws(Failure) -> any RowStage {
        try look(recipe.look, table).stage(strength: recipe.lookStrength)
    }

    /// The look in full strength; nil if anything is wrong with it.
    mutating func prepare(_ reference: LookReference, table: OpenFile?) -> (any RowStage)? {
        try? look(reference, table).stage()
    }

    private mutating func look(_ reference: LookReference, _ table: OpenFile?) throws(Failure) -> Look {
        if let look = looks[reference] { return look }
        // Not `??`, whose right side throws untyped.
        let look: Look
        if let found = RecipeFiles.builtIn(reference) {
            look = found
        } else {
            look = try Self.read(table, as: reference)
        }
        guard look.digest == reference.digest else {
            throw Failure(
                .unknownLook, "The look \(reference) here is not the one the job asks for: their contents differ.")
        }
        looks[reference] = look
        return look
    }

    private static func read(_ table: OpenFile?, as reference: LookReference) throws(Failure) -> Look {
        guard let table else { throw Failure(.unknownLook, "There is no look \(reference).") }
        let bytes = try catchingLibraryErrors { () throws(StorageError) in
            try table.contents(limitBytes: maxCubeBytes)
        }
        do throws(LookError) {
            return try Look(file: bytes, fileName: reference.name + ".cube")
        } catch {
            throw Failure(.unknownLook, "The file of the look \(reference) cannot be used: \(error)")
        }
    }
}
