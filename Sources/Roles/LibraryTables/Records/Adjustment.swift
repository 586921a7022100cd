public import Digest
public import Jobs
public import PictureFormat

/// The edit that made a rendition, in a named format.
public struct Adjustment: Hashable, Sendable {
    /// The format's name, for example `org.rawmill.recipe`.
    public let formatIdentifier: String
    /// The format's version, for example `1.0`.
    public let formatVersion: String
    /// The edit; in Rawmill's format, a recipe's canonical text.
    public let data: String

    /// Memberwise initializer.
    public init(formatIdentifier: String, formatVersion: String, data: String) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }

    /// The adjustment data of a recipe.
    public init(_ recipe: Recipe) {
        self.init(
            formatIdentifier: Self.identifier, formatVersion: Self.version, data: recipe.canonicalText)
    }

    /// The identifier of Rawmill's format.
    public static let identifier = "org.rawmill.recipe"
    /// The version of Rawmill's format.
    public static let version = "1.0"

    /// What a reader can do with adjustment data.
    public enum Reading: Hashable, Sendable {
        /// The edit can be changed or undone, starting from the RAW.
        case recipe(Recipe)
        /// Another program or a newer Rawmill made the edit, so the photo is final. The text explains this to users.
        case final(String)
    }

    /// Reads the data. Unknown formats, and data that is not exactly a recipe, are final: edits are never guessed.
    public var reading: Reading {
        guard formatIdentifier == Self.identifier, formatVersion == Self.version else {
            return .final(
                "This edit has the format \(formatIdentifier) \(formatVersion), which this Rawmill does not know. "
                    + "The photo is taken as final.")
        }
        guard let recipe = Recipe(canonicalText: data) else {
            return .final("This edit's data is damaged or not a recipe. The photo is taken as final.")
        }
        return .recipe(recipe)
    }
}

/// A recipe as the library stores it. A recipe in an unknown format also has an identity and a look.
public struct RecipeRecord: Hashable, Sendable {
    /// SHA-256 of the recipe's canonical encoding.
    public let id: SHA256Value
    /// The look's name, as in the photo's file name.
    public let look: String
    /// The look's version.
    public let lookVersion: UInt32
    /// The edit as adjustment data.
    public let adjustment: Adjustment
    /// Distinguishes the photos of a frame: the look, with size, quality and colour space unless they are the defaults.
    /// Only the look for an edit in an unknown format.
    public let variant: String

    /// The photo's file format; nil for an edit in an unknown format.
    public let format: PhotoFormat?

    /// Memberwise initializer.
    public init(id: SHA256Value, look: String, lookVersion: UInt32, adjustment: Adjustment) {
        self.id = id
        self.look = look
        self.lookVersion = lookVersion
        self.adjustment = adjustment
        let recipe: Recipe? = if case .recipe(let recipe) = adjustment.reading { recipe } else { nil }
        variant = recipe?.variant ?? look
        format = recipe?.format
    }

    /// The record of a recipe in Rawmill's own format.
    public init(_ recipe: Recipe) {
        id = recipe.id
        look = recipe.look.name
        lookVersion = recipe.look.version
        adjustment = Adjustment(recipe)
        variant = recipe.variant
        format = recipe.format
    }
}
