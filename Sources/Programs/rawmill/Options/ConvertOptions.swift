import Arguments
import CommandLineTool
import Jobs
import PictureFormat
import Pixels

/// The options of `rawmill convert`.
enum ConvertOptions {
    private static let pictureGroup = "The picture"
    private static let run = "The run"
    private static let output = "Output"

    static let sources: Parameter<[PathArgument]> = .positionals(
        "SOURCE", completion: .files, help: "RAW files, and folders to search for them.")

    static let look: Parameter<PathArgument> = .option(
        "look", "LOOK", default: PathArgument(text: "neutral@1"), group: pictureGroup,
        completion: .wordsOrFiles(LookSelection.builtInNames),
        help: "NAME, NAME@VERSION, or the path of a .cube file. `rawmill looks list` shows the names.")
    static let strength: Parameter<Double> = .option(
        "strength", "S", default: 1, must: .within(0...1), group: pictureGroup,
        help: "How much of the look: 0 none, 1 all of it.")
    static let exposure: Parameter<Double> = .option(
        "exposure", "STOPS", default: 0, must: .within(-10...10), group: pictureGroup, help: "Brighter or darker.")
    static let longEdge: Parameter<UInt32?> = .optional(
        "long-edge", "PX", must: .within(16...65_500), group: pictureGroup,
        help: "Longest side of the photo in pixels; never more than the RAW has. (default: full size)")
    static let quality: Parameter<UInt32> = .option(
        "quality", short: "q", "N", default: 92, must: .within(1...100), group: pictureGroup, help: "JPEG quality.")
    static let colourSpace: Parameter<EnumArgument<ColourSpace>> = .option(
        "colour-space", "SPACE", default: EnumArgument(.sRGB), group: pictureGroup, help: "Colour space of the photos.")
    static let noDenoise: Parameter<Bool> = .flag(
        "no-denoise", group: pictureGroup, help: "Leaves colour noise in, which is otherwise reduced from ISO 400 on.")

    static let originals: Parameter<EnumArgument<OriginalsPolicy>> = .option(
        "originals", "POLICY", default: EnumArgument(.reference), group: run,
        help: "Whether the RAWs stay where they are, are copied beside the photos, or are moved there. "
            + "Copies are verified.")
    static let dryRun: Parameter<Bool> = .flag(
        "dry-run", short: "n", group: output, help: "Shows what would be done, and touches nothing.")

    /// The options that decide how the photos look.
    static let picture: [any AnyParameter] = [look, strength, exposure, longEdge, quality, colourSpace, noDenoise]

    static let all: [any AnyParameter] =
        [sources, LibraryOption.parameter] + picture + [originals] + WorkerOptions.all + [dryRun] + ReportOptions.all

    /// The recipe that the options describe.
    ///
    /// - Parameter look: the look, pinned by its content.
    /// - Throws: `UsageError` where the options contradict each other.
    static func recipe(_ values: ArgumentValues, look: LookReference) throws -> Recipe {
        let recipe = Recipe(
            look: look, lookStrength: values[strength], exposureStops: values[exposure], whiteBalance: nil,
            longEdgePixels: values[longEdge], quality: values[quality], colourSpace: values[colourSpace].value,
            reducesNoise: !values[noDenoise])
        if let problem = recipe.problem { throw UsageError("\(problem).", command: values.command) }
        return recipe
    }
}

/// A number of bytes as people write it: `500M`, `2G`, `1.5G`. The units are powers of 1000.
struct ByteCountArgument: ArgumentValue, Hashable {
    let bytes: UInt64

    init(bytes: UInt64) { self.bytes = bytes }

    init(argument: [UInt8]) throws(InvalidArgument) {
        let units: [UInt8: Double] = [
            UInt8(ascii: "k"): 1e3, UInt8(ascii: "K"): 1e3, UInt8(ascii: "M"): 1e6, UInt8(ascii: "G"): 1e9,
            UInt8(ascii: "T"): 1e12,
        ]
        let unit = argument.last.flatMap { units[$0] }
        let digits = String(decoding: unit == nil ? argument[...] : argument.dropLast(), as: UTF8.self)
        guard let number = Double(digits), (0...1e6).contains(number) || unit == nil, number >= 0,
            number * (unit ?? 1) < 1e18
        else { throw InvalidArgument("a size like 500M or 2G") }
        bytes = UInt64(number * (unit ?? 1))
    }

    var argumentText: String {
        for (size, unit) in [(UInt64(1_000_000_000), "G"), (1_000_000, "M"), (1000, "k")] where bytes >= size {
            if bytes.isMultiple(of: size) { return "\(bytes / size)\(unit)" }
        }
        return "\(bytes)"
    }
}
