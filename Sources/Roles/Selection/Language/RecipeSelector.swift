internal import Database
internal import Digest
internal import Jobs
internal import LibraryTables
internal import PictureFormat

/// Finds recipes by fields that only their text has. Recipes are few, so they are read and compared here, and photos
/// are found by their digests. All these fields are empty in an unreadable recipe. Functions throw `LibraryError`.
final class RecipeSelector {
    static let fields: Set<SelectionField> = [
        .exposure, .strength, .temperature, .tint, .longedge, .quality, .noise, .sharpening, .space,
    ]

    /// Up to this many recipes are listed one by one.
    private static let maxTold = 25

    private let database: LibraryDatabase
    /// Read on the first test; nil for an unreadable recipe.
    private var known: [(digest: SHA256Value, recipe: Recipe?)]?

    init(_ database: LibraryDatabase) { self.database = database }

    func fragment(_ field: SelectionField, _ test: SelectionTest) throws -> SQLFragment {
        let digests = try all().filter { Self.holds(test, $0.recipe, field) }.map(\.digest)
        if let told = Self.told(digests) { return told }
        // A single value for any number of recipes, so that an index on the photos' recipes serves it.
        let list = "[\"" + digests.map { $0.description.uppercased() }.joined(separator: "\",\"") + "\"]"
        return SQLFragment(
            "r.recipe IN (SELECT recipe FROM recipes WHERE hex(recipe) IN (SELECT value FROM json_each(?)))",
            [.text(list)], index: .recipe)
    }

    /// Renditions by recipes that meet a condition on the table `recipes`.
    func fragment(where condition: SQLFragment) throws -> SQLFragment {
        var digests: [SHA256Value] = []
        try database.perform { connection in
            try connection.each(
                "SELECT recipe FROM recipes WHERE \(condition.sql) LIMIT ?",
                values: condition.values + [.integer(Int64(Self.maxTold + 1))]
            ) { digests.append(try $0.digest(0)) }
        }
        return Self.told(digests)
            ?? SQLFragment(
                "r.recipe IN (SELECT recipe FROM recipes WHERE \(condition.sql))", condition.values, index: .recipe)
    }

    /// A list of recipes, from which PostgreSQL estimates the number of photos. Nil for too many.
    private static func told(_ digests: [SHA256Value]) -> SQLFragment? {
        if digests.isEmpty { return .never }
        guard digests.count <= maxTold else { return nil }
        let places = Array(repeating: "?", count: digests.count).joined(separator: ", ")
        return SQLFragment("r.recipe IN (\(places))", digests.map { .blob($0.bytes) }, index: .recipe)
    }

    private func all() throws -> [(digest: SHA256Value, recipe: Recipe?)] {
        if let known { return known }
        let read = try database.perform { connection in
            try connection.all("SELECT recipe, format_identifier, format_version, data FROM recipes") { row in
                let adjustment = Adjustment(
                    formatIdentifier: row.text(1), formatVersion: row.text(2), data: row.text(3))
                let recipe: Recipe? = if case .recipe(let recipe) = adjustment.reading { recipe } else { nil }
                return (digest: try row.digest(0), recipe: recipe)
            }
        }
        known = read
        return read
    }

    private static func holds(_ test: SelectionTest, _ recipe: Recipe?, _ field: SelectionField) -> Bool {
        let value = recipe.flatMap { Self.value(field, of: $0) }
        switch (test, value) {
        case (.isEmpty, nil): return true
        case (.compares(let comparison, .number(let wanted)), .number(let number)):
            return comparison.holds(number, wanted)
        case (.compares(let comparison, .text(let wanted)), .text(let text)): return comparison.holds(text, wanted)
        default: return false
        }
    }

    private static func value(_ field: SelectionField, of recipe: Recipe) -> SelectionValue? {
        switch field {
        case .exposure: .number(recipe.exposureStops)
        case .strength: .number(recipe.lookStrength)
        case .temperature: recipe.whiteBalance.map { .number($0.kelvin) }
        case .tint: recipe.whiteBalance.map { .number($0.tint) }
        case .longedge: recipe.longEdgePixels.map { .number(Double($0)) }
        case .quality: .number(Double(recipe.quality))
        case .noise: recipe.noiseReduction.map { .number($0) }
        case .sharpening: .number(recipe.sharpening)
        case .space: .text(recipe.colourSpace.rawValue)
        default: nil
        }
    }
}

extension Comparison {
    func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
        switch self {
        case .equal: a == b
        case .less: a < b
        case .lessOrEqual: a <= b
        case .greater: a > b
        case .greaterOrEqual: a >= b
        }
    }
}
