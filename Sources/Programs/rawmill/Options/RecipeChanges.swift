import Arguments
import CommandLineTool
import Coordinator
import Digest
import Jobs
import PictureFormat
import Storage

/// What a command line changes about recipes that photos have: only the options that were given on it.
struct RecipeChanges {
    private let values: ArgumentValues
    private let adjustments: LookAdjustments
    private let profiles: ProfileSelection?
    private let library: String
    /// The looks of the recipes, by the recipe's own look.
    private var looks: [LookReference: LookSelection] = [:]

    /// The options that can be given.
    static let all: [any AnyParameter] = ConvertOptions.picture

    /// - Parameter library: the library's folder.
    /// - Throws: `UsageError` where an option has several values: a photo has one recipe.
    init(_ values: ArgumentValues, library: String) throws {
        self.values = values
        self.library = library
        adjustments = LookAdjustments(values)
        profiles = try values[ConvertOptions.cameraProfiles].map { try ProfileSelection($0, command: values.command) }
        try Self.requireOne(values[ConvertOptions.look].count, "look", values)
        try Self.requireOne(values[ConvertOptions.longEdge].count, "long-edge", values)
        try Self.requireOne(values[ConvertOptions.format].count, "format", values)
        try Self.requireOne(values[ConvertOptions.quality].count, "quality", values)
    }

    private static func requireOne(_ count: Int, _ option: String, _ values: ArgumentValues) throws {
        guard count > 1 else { return }
        throw UsageError(
            "--\(option) is given \(count) times, and an edit has one. To have a photo several times, use "
                + "`rawmill convert`.", command: values.command)
    }

    /// True if nothing was given.
    var isEmpty: Bool {
        !Self.all.contains { values.isGiven($0) }
    }

    /// The options that were given, for people, and the look: `--look velvet@2 --exposure`.
    var text: String {
        let look = values[ConvertOptions.look].first.map { ["--look \($0.value)"] } ?? []
        let others = Self.all.filter {
            $0.declaration.name != ConvertOptions.look.declaration.name && values.isGiven($0)
        }
        return (look + others.map { "--\($0.declaration.name)" }).joined(separator: " ")
    }

    /// Reads and checks the look that a recipe's photo is to have.
    ///
    /// - Throws: `UsageError`.
    mutating func readLook(for recipe: Recipe) async throws {
        let given = values[ConvertOptions.look].first?.value
        guard given != nil || adjustments.isGiven, looks[recipe.look] == nil else { return }
        looks[recipe.look] = try await LookSelection(
            given ?? PathArgument(text: recipe.look.description), adjustments, library: library,
            command: values.command)
    }

    /// True if the photo of a recipe gets a look of the user's own, to which a ledger gives its version.
    func hasOwnLook(for recipe: Recipe) -> Bool { looks[recipe.look]?.isUserLook ?? false }

    /// Stores looks and profiles of the user's own in the library.
    func store(in library: Root) throws {
        for look in looks.values { try look.store(in: library) }
        try profiles?.store(in: library)
    }

    /// The recipe with the changes.
    ///
    /// - Parameters:
    ///   - ledger: gives versions to the user's own looks.
    ///   - recording: whether a new version is written to it.
    /// - Throws: `UsageError` for a recipe that cannot be rendered.
    func applied(to recipe: Recipe, in ledger: LedgerStore? = nil, recording: Bool = true) throws -> Recipe {
        var recipe = recipe
        if let look = looks[recipe.look] { recipe.look = try look.reference(in: ledger, recording: recording) }
        if let profiles { recipe.cameraProfiles = profiles.digest }
        change(&recipe.lookStrength, ConvertOptions.strength) { $0 }
        change(&recipe.exposureStops, ConvertOptions.exposure) { $0 }
        if let balance = values[ConvertOptions.whiteBalance] {
            recipe.whiteBalance = Recipe.WhiteBalance(kelvin: balance.kelvin, tint: balance.tint)
        }
        if let size = values[ConvertOptions.longEdge].first { recipe.longEdgePixels = size.value.pixels }
        if let format = values[ConvertOptions.format].first?.value.format, format != recipe.format {
            recipe.format = format
            if format != .jpeg {
                (recipe.subsampling, recipe.isProgressive, recipe.hasGainMap) = (.auto, false, false)
            }
            if !format.hasQuality { recipe.quality = Recipe.usualQuality }
        }
        if let quality = values[ConvertOptions.quality].first { recipe.quality = quality.value.value }
        change(&recipe.subsampling, ConvertOptions.subsampling) { $0.value }
        change(&recipe.isProgressive, ConvertOptions.progressive) { $0 }
        change(&recipe.hasGainMap, ConvertOptions.hdr) { $0 }
        change(&recipe.colourSpace, ConvertOptions.colourSpace) { $0.value }
        change(&recipe.noiseReduction, ConvertOptions.noise) { $0.amount }
        if values[ConvertOptions.noDenoise] { recipe.noiseReduction = 0 }
        change(&recipe.sharpening, ConvertOptions.sharpen) { $0 }
        if values.isGiven(ConvertOptions.lens) {
            recipe.keepsLens = !values[ConvertOptions.lens].isCorrected
            if recipe.keepsLens { recipe.lensTable = nil }
        }
        if let stripped = values[ConvertOptions.strip] { recipe.stripped = stripped.details }
        if let problem = recipe.problem { throw UsageError("\(problem).", command: values.command) }
        return recipe
    }

    private func change<Field, Value>(_ field: inout Field, _ parameter: Parameter<Value>, _ new: (Value) -> Field) {
        if values.isGiven(parameter) { field = new(values[parameter]) }
    }
}

extension ArgumentValues {
    /// True if the command line itself has the option: an edit changes what a person asked for, not what settings say.
    fileprivate func isGiven(_ parameter: any AnyParameter) -> Bool { origin(parameter) == .commandLine }
}
