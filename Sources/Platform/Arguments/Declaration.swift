/// A parameter without its value's type: what the parser, the help and the completion need to know.
public struct Declaration: Sendable {
    /// How the parameter is written on the command line.
    public enum Kind: Hashable, Sendable {
        /// `--name`
        case flag
        /// `--name VALUE`
        case option(placeholder: String)
        /// A word, recognized by its position. If it repeats, it takes all remaining words.
        case positional(placeholder: String, repeats: Bool)
    }

    /// What a shell completes the value to.
    public enum Completion: Hashable, Sendable {
        /// No suggestions.
        case nothing
        /// Paths of files.
        case files
        /// Paths of folders.
        case folders
        /// One of these words.
        case words([String])
        /// One of these words, or a file's path.
        case wordsOrFiles([String])
    }

    /// How the parameter is written.
    public let kind: Kind
    /// The name without dashes. For a positional argument it is only a key.
    public let name: String
    /// The letter of the short form, as `j` in `-j`; nil for none.
    public let short: Character?
    /// What it does, in one or more sentences.
    public let help: String
    /// The heading in the help; empty for the usual one.
    public let group: String
    /// Whether the command fails without it.
    public let isRequired: Bool
    /// Whether help and completion leave it out.
    public let isHidden: Bool
    /// Whether all given values are used, and not only the last one.
    public let isCollected: Bool
    /// The default as the help shows it; nil for none.
    public let defaultText: String?
    /// The environment variable that is read if the command line does not give the option. If the option is collected,
    /// both are used.
    public let environment: String?
    /// The accepted texts if they are a short list, otherwise empty.
    public let choices: [String]
    /// What a shell completes the value to. By default, the choices.
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

    /// Whether a value belongs to it. False for a flag only.
    public var takesValue: Bool { kind != .flag }

    /// Whether it is recognized by its position and not by a name.
    public var isPositional: Bool {
        if case .positional = kind { true } else { false }
    }

    var repeats: Bool {
        if case .positional(_, true) = kind { true } else { false }
    }

    /// The short form for messages: `--quality`, `SOURCE…`.
    var label: String {
        switch kind {
        case .flag, .option: "--\(name)"
        case .positional(let placeholder, let repeats): placeholder + (repeats ? "…" : "")
        }
    }

    /// The form for the help's left column: `-j, --jobs N`.
    var signature: String {
        switch kind {
        case .positional: return label
        case .flag: return dashed
        case .option(let placeholder): return "\(dashed) \(placeholder)"
        }
    }

    /// The form for a sentence: `--jobs N`.
    var plainSignature: String {
        if case .option(let placeholder) = kind { "\(label) \(placeholder)" } else { label }
    }

    private var dashed: String { short.map { "-\($0), --\(name)" } ?? "    --\(name)" }

    /// The help, followed by the choices, the default and the environment variable, as far as there are any.
    var notedHelp: String {
        var notes: [String] = []
        if !choices.isEmpty { notes.append("one of \(choices.joined(separator: ", "))") }
        if let defaultText, !defaultText.isEmpty { notes.append("default \(defaultText)") }
        if let environment { notes.append("or \(environment)") }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }
}
