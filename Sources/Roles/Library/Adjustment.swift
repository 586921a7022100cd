public import Digest
public import Jobs

/// What made a rendition: the edit, in a format that says which it is.
public struct Adjustment: Hashable, Sendable {
    public let formatIdentifier: String
    public let formatVersion: String
    public let data: String

    public init(formatIdentifier: String, formatVersion: String, data: String) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }

    /// A recipe's own adjustment data.
    public init(_ recipe: Recipe) {
        self.init(
            formatIdentifier: Self.identifier, formatVersion: Self.version, data: recipe.canonicalText)
    }

    /// The format this Rawmill writes.
    public static let identifier = "org.rawmill.recipe"
    public static let version = "1.0"

    /// What a reader can do with it.
    public enum Reading: Hashable, Sendable {
        /// The edit can be changed or undone, from the RAW.
        case recipe(Recipe)
        /// Another program's edit, or a newer one: the JPEG is final. The text says so to a person.
        case final(String)
    }

    /// Never a guess: other identifiers and versions, and data that is not exactly a recipe, are final.
    public var reading: Reading {
        guard formatIdentifier == Self.identifier, formatVersion == Self.version else {
            return .final(
                "This edit has the format \(formatIdentifier) \(formatVersion), which this Rawmill does not know. "
                    + "The JPEG is taken as final.")
        }
        guard let recipe = Recipe(canonicalText: data) else {
            return .final("This edit's data is damaged or not a recipe. The JPEG is taken as final.")
        }
        return .recipe(recipe)
    }
}

/// A recipe as the library knows it: readable or not, it has an identity and a look.
public struct RecipeRecord: Hashable, Sendable {
    public let id: SHA256Value
    /// The look's name, as in the photo's file name.
    public let look: String
    public let lookVersion: UInt32
    public let adjustment: Adjustment

    public init(id: SHA256Value, look: String, lookVersion: UInt32, adjustment: Adjustment) {
        self.id = id
        self.look = look
        self.lookVersion = lookVersion
        self.adjustment = adjustment
    }

    public init(_ recipe: Recipe) {
        self.init(
            id: recipe.id, look: recipe.look.name, lookVersion: recipe.look.version,
            adjustment: Adjustment(recipe))
    }
}
