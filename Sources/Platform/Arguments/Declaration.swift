/// A parameter without its value type, for the parser, the help and the completion.
public struct Declaration: Sendable {
    /// How a parameter is written.
    public enum Kind: Hashable, Sendable {
        /// `--name`
        case flag
        /// `--name VALUE`
        case option(placeholder: String)
        /// A word recognised by its position. If it repeats, it takes all remaining words.
        case positional(placeholder: String, repeats: Bool)
    }

    /// What a shell suggests for the value.
    public enum Completion: Hashable, Sendable {
        case nothing
        case files
        case folders
        case words([String])
        /// One of these words, or a path of a file.
        case wordsOrFiles([String])
    }

    /// How the parameter is written.
    public let kind: Kind
    /// Name without dashes; only a key for a positional argument.
    public let name: String
    /// Letter of the short form, such as `j` in `-j`; nil for none.
    public let short: Character?
    /// One or more sentences.
    public let help: String
    /// Heading in the help; empty for the default heading.
    public let group: String
    /// Whether the command fails without it.
    public let isRequired: Bool
    /// Whether help and completion omit it.
    public let isHidden: Bool
    /// Whether all given values are used, not only the last.
    public let isCollected: Bool
    /// The default as shown in the help; nil for none.
    public let defaultText: String?
    /// Environment variable that applies if the command line does not set the option. A collected option uses both.
    public let environment: String?
    /// The accepted texts if they are a short list, otherwise empty.
    public let choices: [String]
    /// What a shell suggests; by default the choices.
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

    /// False for a flag only.
    public var takesValue: Bool { kind != .flag }

    /// Whether it is recognised by its position instead of a name.
    public var isPositional: Bool {
        if case .positional = kind { true } else { false }
    }

    var repeats: Bool {
        if case .positional(_, true) = kind { true } else { false }
    }

    /// Name for messages: `--quality`, `SOURCE…`.
    var label: String {
        switch kind {
        case .flag, .option: "--\(name)"
        case .positional(let placeholder, let repeats): placeholder + (repeats ? "…" : "")
        }
    }

    /// Left column of the help: `-j, --jobs N`.
    var signature: String {
        switch kind {
        case .positional: return label
        case .flag: return dashed
        case .option(let placeholder): return "\(dashed) \(placeholder)"
        }
    }

    /// Form in a sentence: `--jobs N`.
    var plainSignature: String {
        if case .option(let placeholder) = kind { "\(label) \(placeholder)" } else { label }
    }

    private var dashed: String { short.map { "-\($0), --\(name)" } ?? "    --\(name)" }

    /// The help with choices, default and environment variable.
    var notedHelp: String {
        var notes: [String] = []
        if !choices.isEmpty { notes.append("one of \(choices.joined(separator: ", "))") }
        if let defaultText, !defaultText.isEmpty { notes.append("default \(defaultText)") }
        if let environment { notes.append("or \(environment)") }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }
}
