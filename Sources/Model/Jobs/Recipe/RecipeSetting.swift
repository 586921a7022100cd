public import PictureFormat

/// One setting of a recipe, with everything derived from it: the option, the HTTP parameter, the page's control, and
/// the line of the canonical text, which is also its coding in records.
public struct RecipeSetting: Sendable {
    /// The key of its line in the canonical text.
    public let key: String
    /// The option or parameter; nil for a setting that follows from others.
    public let option: SettingOption?
    /// The photo formats that the setting applies to.
    public let formats: Set<PhotoFormat>
    /// False if the setting has a line only when it differs from the default.
    private let isAlwaysWritten: Bool
    private let usualIn: @Sendable (Recipe) -> Bool
    private let lineOf: @Sendable (Recipe) -> String
    private let textOf: @Sendable (Recipe) -> String
    private let problemOf: @Sendable (Recipe) -> String?
    private let reads: @Sendable (String) -> Bool
    private let setText: @Sendable (String, inout Recipe) -> Bool
    private let setLine: @Sendable (String, inout Recipe) -> Bool
    private let setUsual: @Sendable (inout Recipe) -> Void

    /// `problem` is the error for an invalid value, as a part of a sentence.
    init<Value>(
        _ key: String, _ property: any WritableKeyPath<Recipe, Value> & Sendable, _ coding: SettingCoding<Value>,
        usual: Value, isAlwaysWritten: Bool = false, formats: Set<PhotoFormat> = Set(PhotoFormat.allCases),
        problem: String = "", option: Option?
    ) {
        self.key = key
        self.formats = formats
        self.isAlwaysWritten = isAlwaysWritten
        self.option = option.map { option in
            SettingOption(
                option.name, short: option.short, option.placeholder, kind: coding.kind, expected: coding.expected,
                usual: option.isOptional ? nil : coding.text(usual), isRepeatable: option.isRepeatable,
                slider: option.slider, suggestions: option.suggestions, help: option.help)
        }
        usualIn = { $0[keyPath: property] == usual }
        lineOf = { coding.line($0[keyPath: property]) }
        textOf = { coding.text($0[keyPath: property]) }
        problemOf = { coding.isValid($0[keyPath: property]) ? nil : problem }
        reads = { coding.read($0) != nil }
        setText = { text, recipe in
            guard let value = coding.read(text) else { return false }
            recipe[keyPath: property] = value
            return true
        }
        setLine = { line, recipe in
            guard let value = coding.readLine(line) else { return false }
            recipe[keyPath: property] = value
            return true
        }
        setUsual = { $0[keyPath: property] = usual }
    }

    /// The parts of an option that do not follow from the coding.
    struct Option {
        var name: String
        var short: Character?
        var placeholder = ""
        /// Whether the help omits the default.
        var isOptional = false
        var isRepeatable = false
        var slider: SettingOption.Slider?
        var suggestions: [String] = []
        var help: String
    }

    /// Whether a recipe has the default value.
    public func isUsual(in recipe: Recipe) -> Bool { usualIn(recipe) }

    /// A recipe's value as a user writes it.
    public func text(in recipe: Recipe) -> String { textOf(recipe) }

    /// The line of a recipe's canonical text, `key=value`; nil if it has none.
    public func line(of recipe: Recipe) -> String? {
        isAlwaysWritten || !usualIn(recipe) ? "\(key)=\(lineOf(recipe))" : nil
    }

    /// Whether the text is a valid value.
    public func isValue(_ text: String) -> Bool { reads(text) }

    /// Sets the value of a user's text. Returns false for an invalid text.
    public func set(_ text: String, in recipe: inout Recipe) -> Bool { setText(text, &recipe) }

    /// Sets the default value.
    public func reset(in recipe: inout Recipe) { setUsual(&recipe) }

    /// Sets the value of a line of the canonical text.
    ///
    /// - Parameter line: the text after the key; nil if there is no line.
    /// - Returns: false for an invalid text, and for a missing line that every recipe has.
    public func read(_ line: String?, into recipe: inout Recipe) -> Bool {
        guard let line else {
            setUsual(&recipe)
            return !isAlwaysWritten
        }
        return setLine(line, &recipe)
    }

    func problem(of recipe: Recipe) -> String? { problemOf(recipe) }

    /// The photo formats that the setting applies to: `JPEGs`, `JPEGs, AVIFs and JPEG XLs`.
    public var formatNames: String {
        formats == [.jpeg] ? "JPEGs" : "JPEGs, AVIFs and JPEG XLs"
    }
}
