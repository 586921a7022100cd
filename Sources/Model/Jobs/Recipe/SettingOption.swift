/// A setting as a person gives it: an option, an HTTP parameter, a control of the page.
public struct SettingOption: Sendable {
    /// What its values are.
    public enum Kind: Hashable, Sendable {
        /// A number in a range.
        case number(ClosedRange<Double>)
        /// A whole number in a range.
        case whole(ClosedRange<UInt32>)
        /// One of a few words.
        case choice([String])
        /// On or off.
        case flag
        /// A text, whose form `expected` describes.
        case text
    }

    /// A slider of the page.
    public struct Slider: Hashable, Sendable {
        /// Its name on the page.
        public let label: String
        /// The values that it reaches; others can still be given as text.
        public let range: ClosedRange<Double>
        /// The smallest change.
        public let step: Double
        /// The value that changes nothing.
        public let usual: Double
        /// Whether positive values are shown with a plus sign.
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
    /// The letter of the option's short form; nil for none.
    public let short: Character?
    /// The value's name in the help.
    public let placeholder: String
    /// What its values are.
    public let kind: Kind
    /// The valid values, as the end of a sentence that begins with "must be".
    public let expected: String
    /// The usual value as a person writes it; nil for a setting that is absent unless it is given.
    public let usual: String?
    /// One or more sentences.
    public let help: String
    /// Whether several values give several photos.
    public let isRepeatable: Bool
    /// The page's slider; nil for none.
    public let slider: Slider?

    init(
        _ name: String, short: Character? = nil, _ placeholder: String = "", kind: Kind, expected: String,
        usual: String? = nil, isRepeatable: Bool = false, slider: Slider? = nil, help: String
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
    }
}
