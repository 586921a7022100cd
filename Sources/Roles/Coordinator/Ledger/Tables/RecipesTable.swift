internal import Database
internal import Digest
internal import Jobs

/// The table `recipes`: every recipe ever requested.
final class RecipesTable {
    private let connection: Connection
    /// A cache of rows. The table only grows, and no row changes.
    private var recipes: [Int64: Recipe] = [:]

    init(_ connection: Connection) { self.connection = connection }

    func knownNumber(of recipe: Recipe) throws -> Int64? { try knownNumber(of: recipe.id) }

    func knownNumber(of digest: SHA256Value) throws -> Int64? {
        try connection.first("SELECT id FROM recipes WHERE digest = ?", digest.bytes) { $0.integer(0) }
    }

    /// The number of a recipe, which is added if it is new. Requires a transaction.
    func number(of recipe: Recipe) throws -> Int64 {
        if let known = try knownNumber(of: recipe) { return known }
        return try connection.insert(
            "INSERT INTO recipes(digest, text) VALUES (?, ?)", recipe.id.bytes, recipe.canonicalText)
    }

    func recipe(_ number: Int64) throws -> Recipe {
        if let known = recipes[number] { return known }
        let text = try connection.first("SELECT text FROM recipes WHERE id = ?", number) { $0.text(0) }
        guard let recipe = text.flatMap({ Recipe(canonicalText: $0) }) else {
            throw LedgerError.damaged("an unreadable recipe")
        }
        recipes[number] = recipe
        return recipe
    }
}
