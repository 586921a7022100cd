/// A setting that becomes part of a look's steps, and so of the look that a recipe names.
public struct LookSetting: Sendable {
    /// The step of the look that receives the setting.
    public enum Step: Hashable, Sendable {
        case film
        /// A step after the look's own.
        case colours
    }

    /// The option or parameter.
    public let option: SettingOption
    /// The step that receives the setting, as a parameter of the option's name.
    public let step: Step
    private let coding: SettingCoding<Double>

    private init(
        _ step: Step, _ name: String, _ placeholder: String, _ range: ClosedRange<Double>,
        slider: SettingOption.Slider? = nil, help: String
    ) {
        self.step = step
        coding = .number(range)
        option = SettingOption(
            name, placeholder, kind: coding.kind, expected: coding.expected, slider: slider, help: help)
    }

    /// The value of a user's text; nil if it is not valid.
    public func value(_ text: String) -> Double? { coding.read(text) }

    /// The setting of an option or HTTP parameter; nil for other names.
    public static func named(_ name: String) -> LookSetting? { all.first { $0.option.name == name } }

    /// All settings of looks.
    public static let all: [LookSetting] = [
        LookSetting(
            .film, "push", "STOPS", -2...3,
            help: "Push development of the film, in stops, as if it were underexposed: more contrast and grain."),
        LookSetting(
            .film, "grain", "FACTOR", 0...4, slider: .init("Grain", 0...2, step: 0.05, usual: 1),
            help: "Strength of the grain, as a factor of the film's own; 0 turns it off."),
        LookSetting(
            .film, "halation", "FACTOR", 0...4, slider: .init("Halation", 0...2, step: 0.05, usual: 1),
            help: "Halation strength, as a factor of the film's own; 0 turns it off."),
        LookSetting(
            .colours, "contrast", "FACTOR", 0.25...4, slider: .init("Contrast", 0.5...1.5, step: 0.02, usual: 1),
            help: "Contrast of the finished picture, as a factor; 1 leaves it as it is."),
        LookSetting(
            .colours, "saturation", "FACTOR", 0...2, slider: .init("Saturation", 0...2, step: 0.02, usual: 1),
            help: "Saturation of the finished picture, as a factor; 0 gives greys."),
    ]
}

extension SettingOption {
    /// All settings of a photo but the look itself: those of a recipe, then those of every look.
    public static let all: [SettingOption] = RecipeSetting.all.compactMap(\.option) + LookSetting.all.map(\.option)
}
