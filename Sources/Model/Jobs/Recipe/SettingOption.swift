/// A setting as the user sees it: an option, an HTTP parameter, a control of the page.
public struct SettingOption: Sendable {
    /// The type of a value.
    public enum Kind: Hashable, Sendable {
        case number(ClosedRange<Double>)
        case whole(ClosedRange<UInt32>)
        case choice([String])
        case flag
        /// A text in the form that `expected` describes.
        case text
    }

    /// A slider of the page.
    public struct Slider: Hashable, Sendable {
        /// The label.
        public let label: String
        /// The range of the slider. Text input accepts more.
        public let range: ClosedRange<Double>
        /// The smallest change.
        public let step: Double
        /// The value that changes nothing.
        public let usual: Double
        /// Whether positive values have a plus sign.
        public let isSigned: Bool

        init(_ label: String, _ range: ClosedRange<Double>, step: Double, usual: Double, isSigned: Bool = false) {
            self.label = label
            self.range = range
            self.step = step
            self.usual = usual
            self.isSigned = isSigned
        }
    }

    /// The name of the option and of the HTTP parameter.
    public let name: String
    /// The letter of the short option, if any.
    public let short: Character?
    /// The value's name in the help.
    public let placeholder: String
    /// The type of its values.
    public let kind: Kind
    /// The valid values, as the end of a sentence that begins with "must be".
    public let expected: String
    /// The default as a user writes it; nil if there is none.
    public let usual: String?
    /// The help, one or more sentences.
    public let help: String
    /// Whether several values yield several photos.
    public let isRepeatable: Bool
    /// The page's slider, if any.
    public let slider: Slider?
    /// Values for a shell to complete: all of a choice, and some of other kinds.
    public let suggestions: [String]

    init(
        _ name: String, short: Character? = nil, _ placeholder: String = "", kind: Kind, expected: String,
        usual: String? = nil, isRepeatable: Bool = false, slider: Slider? = nil, suggestions: [String] = [],
        help: String
    ) {
        self.name = name
        self.short = short
        self.placeholder = placeholder
        self.kind = kind
        self.expected = expected
        self.usual = usual
        self.help = help
        self.isRepeatable = isRepeatable
        self.slider = slider
        if case .choice(let all) = kind { self.suggestions = all } else { self.suggestions = suggestions }
    }
}
