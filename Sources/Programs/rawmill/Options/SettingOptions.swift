import Arguments
import CommandLineTool
import Jobs
import Looks

/// The options for the look of photos, made from the lists of settings.
enum SettingOptions {
    private static let group = "The picture"

    static let usualLook = PathArgument(text: "neutral@1")
    static let look: Parameter<[CollectedValue<PathArgument>]> = .collected(
        "look", "LOOK", group: group, completion: .wordsOrFiles(LookSelection.builtInNames),
        help:
            "NAME, NAME@VERSION, a file (.cube, Hald .png, .yaml), or several joined by +, each with its parameters: "
            + "'velvet(grain=0.5)+CISepiaTone(intensity=0.3)'. Repeat for several photos of each RAW. "
            + "`rawmill looks list` shows the names. (default: neutral@1)")
    static let cameraProfiles: Parameter<PathArgument?> = .optional(
        "dcp", "FILE|DIR", group: group, completion: .files,
        help:
            "Camera profiles for the colours: a .dcp file for every photo, or a folder with one for each camera. Cameras "
            + "without a profile use the data of the RAW.")
    static let noDenoise: Parameter<Bool> = .flag("no-denoise", group: group, help: "Same as --noise 0.")

    /// A setting's option, with several values only for repeatable settings.
    typealias Texts = Parameter<[CollectedValue<String>]>

    /// The options of a recipe's and a look's settings, by name.
    static let texts: [String: Texts] = Dictionary(
        RecipeSetting.all.compactMap { setting in
            setting.option.map { ($0.name, parameter($0, group) { setting.isValue($0) }) }
        }
            + LookSetting.all.map { setting in
                (setting.option.name, parameter(setting.option, "The look") { setting.value($0) != nil })
            }
    ) { $1 }

    private static func parameter(
        _ option: SettingOption, _ group: String, isValid: @escaping @Sendable (String) -> Bool
    ) -> Texts {
        var choices: [String] = []
        if case .choice(let all) = option.kind, !option.isRepeatable { choices = all }
        return .texts(
            option.name, short: option.short, option.kind == .flag ? nil : option.placeholder,
            default: option.isRepeatable || option.kind == .flag ? nil : option.usual, choices: choices,
            completion: option.suggestions.isEmpty ? nil : .words(option.suggestions), isCollected: option.isRepeatable,
            group: group, help: option.help, expected: option.expected,
            isValid: isValid)
    }

    static let all: [any AnyParameter] =
        [look, cameraProfiles] + RecipeSetting.all.compactMap { $0.option.flatMap { texts[$0.name] } } + [noDenoise]
        + LookSetting.all.compactMap { texts[$0.option.name] }
}
