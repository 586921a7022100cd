internal import Jobs
internal import Looks
internal import Memory
internal import Pixels
internal import RenderJobs
internal import Storage

/// The last used looks, built-in and users' own.
struct LookCache {
    private var looks = BoundedCache<LookReference, Look>(maxCount: 8)
    /// Tables are at most a few hundred megabytes of text. The limit is for files that are not tables.
    private static let maxCubeBytes: UInt64 = 1 << 30

    /// The recipe's look as an operation on rows.
    ///
    /// - Parameter table: file of a look that is not built in.
    /// - Throws: `unknown-look` if the look is missing, or its definition differs from the recipe's.
    mutating func stage(_ recipe: Recipe, table: OpenFile?) throws(Failure) -> any RowStage {
        try look(recipe.look, table).stage(strength: recipe.lookStrength)
    }

    /// The look at full strength; nil on any error.
    mutating func prepare(_ reference: LookReference, table: OpenFile?) -> (any RowStage)? {
        try? look(reference, table).stage()
    }

    private mutating func look(_ reference: LookReference, _ table: OpenFile?) throws(Failure) -> Look {
        if let look = looks[reference] { return look }
        // Not `??`, whose right-hand side throws untyped errors.
        let look: Look
        if let found = RecipeFiles.builtIn(reference) {
            look = found
        } else {
            look = try Self.read(table, as: reference)
        }
        guard look.digest == reference.digest else {
            throw Failure(
                .unknownLook, "The look \(reference) here differs from the one in the job.")
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
