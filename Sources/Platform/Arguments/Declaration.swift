/// What there is to know of one parameter apart from its type: for the parser, the help and the completion.
public struct Declaration: Sendable {
    public enum Kind: Hashable, Sendable {
        /// `--name`
        case flag
        /// `--name VALUE`
        case option(placeholder: String)
        /// A word by its place.
        case positional(placeholder: String, repeats: Bool)
    }

    public enum Completion: Hashable, Sendable {
        case nothing
        case files
        case folders
        case words([String])
        case wordsOrFiles([String])
    }

    public let kind: Kind
    /// Without dashes; a positional's is only a key.
    public let name: String
    public let short: Character?
    /// One or more sentences.
    public let help: String
    /// The heading it stands under in the help; empty for the usual one.
    public let group: String
    public let isRequired: Bool
    public let isHidden: Bool
    /// All values that were given count, not only the last.
    public let isCollected: Bool
    public let defaultText: String?
    /// The environment variable that is read where the option is not given.
    public let environment: String?
    public let choices: [String]
    public let completion: Completion

    init(
        kind: Kind, name: String, short: Character? = nil, help: String, group: String = "", isRequired: Bool = false,
        isHidden: Bool = false, isCollected: Bool = false, defaultText: String? = nil, environment: String? = nil,
        choices: [String] = [],
        completion: Completion? = nil
    ) {
        self.kind = kind
        self.name = name
        self.short = short
        self.help = help
        self.group = group
        self.isRequired = isRequired
        self.isHidden = isHidden
        self.isCollected = isCollected
        self.defaultText = defaultText
        self.environment = environment
        self.choices = choices
        self.completion = completion ?? (choices.isEmpty ? .nothing : .words(choices))
    }

    public var takesValue: Bool { kind != .flag }

    public var isPositional: Bool {
        if case .positional = kind { true } else { false }
    }

    var repeats: Bool {
        if case .positional(_, true) = kind { true } else { false }
    }

    /// As a person would write it: `--quality`, `SOURCE…`.
    var label: String {
        switch kind {
        case .flag, .option: "--\(name)"
        case .positional(let placeholder, let repeats): placeholder + (repeats ? "…" : "")
        }
    }

    /// As the help's left column shows it: `-j, --jobs N`.
    var signature: String {
        switch kind {
        case .positional: return label
        case .flag: return dashed
        case .option(let placeholder): return "\(dashed) \(placeholder)"
        }
    }

    /// As it is written in a sentence: `--jobs N`.
    var plainSignature: String {
        if case .option(let placeholder) = kind { "\(label) \(placeholder)" } else { label }
    }

    private var dashed: String { short.map { "-\($0), --\(name)" } ?? "    --\(name)" }
}
