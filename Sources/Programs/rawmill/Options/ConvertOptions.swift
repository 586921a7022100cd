import Arguments
import CommandLineTool
import Digest
import Jobs
import PictureFormat
import Pixels

/// The options of `rawmill convert`.
enum ConvertOptions {
    private static let pictureGroup = "The picture"
    private static let run = "The run"
    private static let output = "Output"

    static let library: Parameter<String?> = .optional(
        "library", short: "l", "DIR", must: Rule("a path, and not empty") { !$0.isEmpty },
        environment: "RAWMILL_LIBRARY", completion: .folders,
        help: "The library's folder; made if there is none. Give this or --out.")

    static let usualLook = PathArgument(text: "neutral@1")
    static let look: Parameter<[CollectedValue<PathArgument>]> = .collected(
        "look", "LOOK", group: pictureGroup, completion: .wordsOrFiles(LookSelection.builtInNames),
        help:
            "NAME, NAME@VERSION, a file (.cube, Hald .png, .yaml), or several joined by +, each with what it is told: "
            + "'velvet(grain=0.5)+CISepiaTone(intensity=0.3)'. Given several times, each photo comes in each. "
            + "`rawmill looks list` shows the names. (default: neutral@1)")
    static let strength: Parameter<Double> = .option(
        "strength", "S", default: 1, must: .within(0...1), group: pictureGroup,
        help: "How much of the look: 0 none, 1 all of it.")
    static let cameraProfiles: Parameter<PathArgument?> = .optional(
        "dcp", "FILE|DIR", group: pictureGroup, completion: .files,
        help:
            "Colours by camera profiles: a .dcp file for every photo, or a folder of them, of which each photo takes its "
            + "camera's. Without, and for cameras without, what the file says itself.")
    static let exposure: Parameter<Double> = .option(
        "exposure", "STOPS", default: 0, must: .within(-10...10), group: pictureGroup, help: "Brighter or darker.")
    static let whiteBalance: Parameter<WhiteBalanceArgument?> = .optional(
        "white-balance", "K[,TINT]", group: pictureGroup,
        help: "The light that is to be white: 5200, or 5200,10 with a tint from -150 (green) to 150 (magenta). "
            + "(default: as shot)")
    static let longEdge: Parameter<[CollectedValue<LongEdgeArgument>]> = .collected(
        "long-edge", "PX", group: pictureGroup,
        help: "Longest side of the photo in pixels, or full; never more than the RAW has. Several give each size. "
            + "(default: full)")
    static let format: Parameter<[CollectedValue<FormatArgument>]> = .collected(
        "format", "FORMAT", group: pictureGroup,
        help: "jpeg; avif or jxl (JPEG XL), smaller and slower to make; or tiff or png with 16 bits a channel for more "
            + "work in other programs; several give each. "
            + "(default: jpeg)")
    static let quality: Parameter<[CollectedValue<QualityArgument>]> = .collected(
        "quality", short: "q", "N", group: pictureGroup,
        help:
            "Quality of JPEGs, and of AVIFs and JPEG XLs that look about as good, 1 to 100; several give each. "
            + "(default: \(Recipe.usualQuality))"
    )
    static let subsampling: Parameter<EnumArgument<JPEGSubsampling>> = .option(
        "subsampling", "RATIO", default: EnumArgument(.auto), group: pictureGroup,
        help: "How much colour the JPEGs keep: 444 all of it, 422 half, 420 a quarter. auto is 444 from quality "
            + "\(JPEGSubsampling.fullFromQuality) on, and 420 below.")
    static let progressive: Parameter<Bool> = .flag(
        "progressive", group: pictureGroup,
        help: "JPEGs that come from coarse to fine over a slow line: a little smaller, and slower to make.")
    static let hdr: Parameter<Bool> = .flag(
        "hdr", group: pictureGroup,
        help:
            "JPEGs with a gain map (Ultra HDR): displays that are brighter than white show highlights as bright as they "
            + "were; others show the same JPEG as ever.")
    static let colourSpace: Parameter<EnumArgument<ColourSpace>> = .option(
        "colour-space", "SPACE", default: EnumArgument(.sRGB), group: pictureGroup, help: "Colour space of the photos.")
    static let noise: Parameter<NoiseArgument> = .option(
        "noise", "AMOUNT", default: NoiseArgument(amount: nil), group: pictureGroup,
        help: "How much noise is removed: 0 none, 1 most of it; auto begins at ISO 400 and is full from ISO 1600 on.")
    static let noDenoise: Parameter<Bool> = .flag("no-denoise", group: pictureGroup, help: "The same as --noise 0.")
    static let sharpen: Parameter<Double> = .option(
        "sharpen", "AMOUNT", default: Recipe.usualSharpening, must: .within(0...1), group: pictureGroup,
        help: "How much fine detail is sharpened, and again in photos made smaller: 0 not at all.")
    static let lens: Parameter<LensArgument> = .option(
        "lens", "RULE", default: LensArgument(isCorrected: true), group: pictureGroup,
        help:
            "Whether distortion, vignetting and colour fringes are corrected: auto does it where the RAW describes them or "
            + "the lens is known (`rawmill lenses list`), off leaves them.")

    static let originals: Parameter<EnumArgument<OriginalsPolicy>> = .option(
        "originals", "POLICY", default: EnumArgument(.reference), group: run,
        help: "Whether the RAWs stay where they are, are copied beside the photos, or are moved there. "
            + "Copies are verified.")
    static let retryFailed: Parameter<Bool> = .flag(
        "retry-failed", group: run, help: "Tries files again that failed before.")
    static let dryRun: Parameter<Bool> = .flag(
        "dry-run", short: "n", group: output, help: "Shows what would be done, and touches nothing.")

    static let strip: Parameter<StripArgument?> = .optional(
        "strip", "WHAT", group: pictureGroup,
        help: "What the photos do not tell, although the RAWs do: location, paths, serial, owner with commas between "
            + "them, or all.")

    /// The options that decide how the photos look.
    static let picture: [any AnyParameter] =
        [
            look, strength, cameraProfiles, exposure, whiteBalance, longEdge, format, quality, subsampling, progressive,
            hdr,
            colourSpace, noise,
            noDenoise, sharpen, lens, strip,
        ] + LookAdjustments.all

    static let all: [any AnyParameter] =
        SourceOptions.all + [library, DatabaseOption.parameter] + ExportOptions.all + picture + [
            originals, retryFailed,
        ] + WorkerOptions.all
        + [dryRun] + ReportOptions.all + RunPage.parameters

    /// The recipes that the options describe for a look: one for each size, format and quality. What JPEG alone has is for
    /// the JPEGs.
    ///
    /// - Parameters:
    ///   - look: the look, pinned by its content.
    ///   - lensTable: the digest of the library's lens table; nil for none.
    /// - Throws: `UsageError` where the options contradict each other.
    static func recipes(
        _ values: ArgumentValues, look: LookReference, lensTable: SHA256Value?
    ) throws -> [Recipe] {
        let balance = values[whiteBalance].map { Recipe.WhiteBalance(kelvin: $0.kelvin, tint: $0.tint) }
        let amount = values[noise].amount
        if values[noDenoise], let amount, amount > 0 {
            throw UsageError("--no-denoise and --noise \(amount) contradict each other.", command: values.command)
        }
        var recipes: [Recipe] = []
        for size in distinctValues(values[longEdge], else: LongEdgeArgument(pixels: nil)) {
            for format in distinctValues(values[format], else: FormatArgument(format: .jpeg)).map(\.format) {
                var recipe = Recipe(
                    look: look, lookStrength: values[strength], exposureStops: values[exposure], whiteBalance: balance,
                    longEdgePixels: size.pixels, format: format, colourSpace: values[colourSpace].value,
                    noiseReduction: values[noDenoise] ? 0 : amount, sharpening: values[sharpen],
                    keepsLens: !values[lens].isCorrected, lensTable: lensTable, stripped: values[strip]?.details ?? [])
                if format == .jpeg {
                    recipe.subsampling = values[subsampling].value
                    recipe.isProgressive = values[progressive]
                    recipe.hasGainMap = values[hdr]
                }
                if format.hasQuality {
                    for quality in distinctValues(values[quality], else: QualityArgument(value: Recipe.usualQuality)) {
                        recipe.quality = quality.value
                        recipes.append(recipe)
                    }
                } else {
                    recipes.append(recipe)
                }
            }
        }
        try checkFormats(recipes.map(\.format), values)
        for recipe in recipes {
            if let problem = recipe.problem { throw UsageError("\(problem).", command: values.command) }
        }
        return recipes
    }

    /// Refuses options that none of the formats has. One that a settings file or the environment gives is for the formats that
    /// have it, whatever the command line asks for.
    ///
    /// - Throws: `UsageError`.
    private static func checkFormats(_ formats: [PhotoFormat], _ values: ArgumentValues) throws(UsageError) {
        func isMeant<Value>(_ option: Parameter<Value>) -> Bool {
            guard let origin = values.origin(option) else { return false }
            return origin == .commandLine || values.origin(format) != .commandLine
        }
        func refuse(_ option: String, _ kinds: String) -> UsageError {
            UsageError(
                "--\(option) is for \(kinds): leave it out, or give --format jpeg, too.", command: values.command)
        }
        if !formats.contains(.jpeg) {
            if isMeant(hdr) { throw refuse("hdr", "JPEGs") }
            if isMeant(progressive) { throw refuse("progressive", "JPEGs") }
            if isMeant(subsampling) { throw refuse("subsampling", "JPEGs") }
        }
        if !formats.contains(where: \.hasQuality), isMeant(quality) {
            throw refuse("quality", "JPEGs, AVIFs and JPEG XLs")
        }
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
