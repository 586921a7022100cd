import Arguments
import CommandLineTool
import Digest
import Jobs
import PictureFormat
import Telemetry

/// The source of settings, for their names in errors.
struct SettingSource: Sendable {
    /// The command's name, for errors of a command line.
    let command: [String]
    private let dashes: String

    init(_ command: [String]) { (self.command, dashes) = (command, "--") }

    private init(dashes: String) { (command, self.dashes) = ([], dashes) }

    static let http = SettingSource(dashes: "")

    func label(_ name: String) -> String { dashes + name }

    func error(_ text: String) -> UsageError { UsageError(text, command: command) }
}

/// The settings of a request for photos: from a command line, an HTTP query or an edit. All texts are valid.
struct PictureRequest: Sendable {
    typealias Value = CollectedValue<String>

    let source: SettingSource
    /// Looks by name, file or steps.
    private(set) var looks: [CollectedValue<PathArgument>] = []
    private(set) var profile: PathArgument?
    private var texts: [String: [Value]] = [:]
    /// The names of all given settings, in the order of the lists.
    private(set) var names: [String] = []

    /// Reads a command line.
    ///
    /// - Parameter isEdit: whether to use only the command line's own options: an edit changes what the user requests
    ///   now, not what settings files contain.
    /// - Throws: `UsageError` for contradicting options.
    init(_ values: ArgumentValues, isEdit: Bool = false) throws(UsageError) {
        source = SettingSource(values.command)
        func counts(_ origin: RawArgument.Origin?) -> Bool { isEdit ? origin == .commandLine : origin != nil }
        looks = values[SettingOptions.look].filter { counts($0.origin) }
        if counts(values.origin(SettingOptions.cameraProfiles)) { profile = values[SettingOptions.cameraProfiles] }
        for (name, parameter) in SettingOptions.texts {
            let given = values[parameter].filter { counts($0.origin) }
            if !given.isEmpty { texts[name] = given }
        }
        names = SettingOptions.all.filter { counts(values.origin($0)) }.map(\.declaration.name)
        if counts(values.origin(SettingOptions.noDenoise)), values[SettingOptions.noDenoise] { try keepNoise() }
    }

    /// Reads an HTTP request, in which no name is that of a local file. Throws `UsageError` for an invalid value.
    init(_ fields: [(name: String, text: String)]) throws(UsageError) {
        source = .http
        var keepsNoise = false
        for (name, text) in fields where !text.isEmpty {
            switch name {
            case "look": looks.append(CollectedValue(value: PathArgument(text: text), origin: .commandLine))
            case "no-denoise": keepsNoise = try Self.flag(name, text)
            default: try add(name, text)
            }
            names.append(name)
        }
        if keepsNoise { try keepNoise() }
    }

    static let httpNames: Set<String> = Set(SettingOptions.texts.keys).union(["look", "no-denoise"])

    private mutating func add(_ name: String, _ text: String) throws(UsageError) {
        guard let option = RecipeSetting.named(name)?.option ?? LookSetting.named(name)?.option else { return }
        let isValid = RecipeSetting.named(name)?.isValue(text) ?? (LookSetting.named(name)?.value(text) != nil)
        guard isValid else { throw Self.invalid(name, text, option.expected) }
        let value = Value(value: text, origin: .commandLine)
        texts[name] = option.isRepeatable ? (texts[name] ?? []) + [value] : [value]
    }

    private static func flag(_ name: String, _ text: String) throws(UsageError) -> Bool {
        guard let value = ["true": true, "1": true, "false": false, "0": false][text] else {
            throw invalid(name, text, "true or false")
        }
        return value
    }

    private static func invalid(_ name: String, _ text: String, _ expected: String) -> UsageError {
        SettingSource.http.error("\(name) must be \(expected), not \"\(TerminalText.escape(text))\".")
    }

    /// `--no-denoise` is `--noise 0`.
    private mutating func keepNoise() throws(UsageError) {
        if let noise = texts["noise"]?.last?.value, let amount = Double(noise), amount > 0 {
            throw source.error(
                "\(source.label("no-denoise")) and \(source.label("noise")) \(amount) contradict each other.")
        }
        texts["noise"] = [Value(value: "0", origin: .commandLine)]
    }

    var isEmpty: Bool { names.isEmpty }

    func count(_ name: String) -> Int { name == "look" ? looks.count : texts[name]?.count ?? 0 }

    /// The effective text of a setting with one value.
    func text(_ name: String) -> String? { texts[name]?.last?.value }

    var adjustments: LookAdjustments { LookAdjustments { text($0) } }

    // MARK: Recipes

    /// Settings of certain formats come last, when a recipe's format is known.
    private static let settings: [RecipeSetting] = {
        let all = RecipeSetting.all.filter { $0.option != nil }
        let isCommon = { (setting: RecipeSetting) in setting.formats.count == PhotoFormat.allCases.count }
        return all.filter(isCommon) + all.filter { !isCommon($0) }
    }()

    /// The recipes for a look, one for each size, format and quality. Settings of certain formats apply to photos of
    /// those.
    ///
    /// - Parameters:
    ///   - look: the look, pinned by its content.
    ///   - lensTable: the digest of the library's lens table; nil for none.
    /// - Throws: `UsageError` for contradicting settings.
    func recipes(look: LookReference, lensTable: SHA256Value?) throws(UsageError) -> [Recipe] {
        var recipes = [Recipe(look: look, lensTable: lensTable)]
        for setting in Self.settings {
            guard let texts = distinct(setting), !texts.isEmpty else { continue }
            recipes = recipes.flatMap { recipe in
                setting.formats.contains(recipe.format) ? texts.map { recipe.with(setting, $0) } : [recipe]
            }
        }
        try checkFormats(Set(recipes.map(\.format)))
        for recipe in recipes {
            if let problem = recipe.problem { throw source.error("\(problem).") }
        }
        return recipes
    }

    /// A recipe with the requested changes. A change of format resets the settings that the new one does not have.
    /// Throws `UsageError` for an invalid recipe.
    func changed(_ recipe: Recipe) throws(UsageError) -> Recipe {
        var recipe = recipe
        for setting in Self.settings {
            guard let name = setting.option?.name, let text = text(name) else { continue }
            let format = recipe.format
            recipe = recipe.with(setting, text)
            guard recipe.format != format else { continue }
            for other in Self.settings where !other.formats.contains(recipe.format) { other.reset(in: &recipe) }
        }
        if let problem = recipe.problem { throw source.error("\(problem).") }
        return recipe
    }

    /// The distinct values of a setting, from the source with the highest precedence: the command line overrides a
    /// settings file and does not add to it.
    private func distinct(_ setting: RecipeSetting) -> [String]? {
        guard let name = setting.option?.name, let given = texts[name] else { return nil }
        return distinctValues(given)
    }

    /// Refuses settings that none of the formats has, unless they come from a settings file or the environment, which
    /// serve many command lines.
    private func checkFormats(_ formats: Set<PhotoFormat>) throws(UsageError) {
        for setting in Self.settings where setting.formats.isDisjoint(with: formats) {
            guard let name = setting.option?.name, let value = texts[name]?.last else { continue }
            guard value.origin == .commandLine || texts["format"]?.last?.origin != .commandLine else { continue }
            throw source.error(
                "\(source.label(name)) is for \(setting.formatNames): leave it out, or give "
                    + "\(source.label("format")) jpeg, too.")
        }
    }
}

extension Recipe {
    /// The recipe with a valid value of a setting. A recipe without lens correction needs no lens table.
    fileprivate func with(_ setting: RecipeSetting, _ text: String) -> Recipe {
        var recipe = self
        _ = setting.set(text, in: &recipe)
        if recipe.keepsLens { recipe.lensTable = nil }
        return recipe
    }
}

/// The distinct values of a repeatable option, from the source with the highest precedence.
func distinctValues<Value: Hashable>(_ given: [CollectedValue<Value>]) -> [Value] {
    var seen: Set<Value> = []
    return given.filter { $0.origin == given.last?.origin }.map(\.value).filter { seen.insert($0).inserted }
}
