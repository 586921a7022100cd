internal import PictureFormat

extension RecipeSetting {
    /// The settings of a recipe other than its look, in the order of the canonical text. Add new ones at the end,
    /// without `isAlwaysWritten`, so that older recipes keep their identity.
    public static let all: [RecipeSetting] = [
        RecipeSetting(
            "look-strength", \.lookStrength, .number(0...1), usual: 1, isAlwaysWritten: true,
            problem: "the look's strength must be between 0 and 1",
            option: Option(
                name: "strength", placeholder: "S",
                slider: .init("Strength", 0...1, step: 0.05, usual: 1),
                help: "Strength of the look, from 0 (none) to 1 (full).")),
        RecipeSetting(
            "exposure", \.exposureStops, .number(-10...10), usual: 0, isAlwaysWritten: true,
            problem: "the exposure must be between -10 and 10 stops",
            option: Option(
                name: "exposure", placeholder: "STOPS",
                slider: .init("Exposure", -3...3, step: 0.05, usual: 0, isSigned: true), help: "Exposure correction.")),
        RecipeSetting(
            "white-balance", \.whiteBalance, .whiteBalance, usual: nil, isAlwaysWritten: true,
            problem: "the temperature must be 1500 to 50000 kelvin, and the tint between -150 and 150",
            option: Option(
                name: "white-balance", placeholder: "K[,TINT]", isOptional: true, suggestions: ["as-shot"],
                help: "Colour temperature in kelvin, such as 5200, or with a tint from -150 (green) to 150 "
                    + "(magenta), such as 5200,10. (default: as-shot)")),
        RecipeSetting(
            "long-edge", \.longEdgePixels, .whole(16...65_500, else: "full"), usual: nil, isAlwaysWritten: true,
            problem: "the long edge must be 16 to 65500 pixels",
            option: Option(
                name: "long-edge", placeholder: "PX", isRepeatable: true,
                suggestions: ["full", "1600", "2048", "2400", "3840"],
                help: "Longest side of the photo in pixels, or full. Photos are never enlarged. Repeat for "
                    + "several sizes. (default: full)")),
        RecipeSetting(
            "quality", \.quality, .whole(1...100), usual: Recipe.usualQuality, isAlwaysWritten: true,
            formats: Set(PhotoFormat.allCases.filter(\.hasQuality)), problem: "the quality must be 1 to 100",
            option: Option(
                name: "quality", placeholder: "N", isRepeatable: true,
                help: "Quality of JPEGs, and of AVIFs and JPEG XLs that look about as good, 1 to 100. Repeat for "
                    + "several qualities. (default: \(Recipe.usualQuality))")),
        RecipeSetting(
            "colour-space", \.colourSpace, .choice, usual: .sRGB, isAlwaysWritten: true,
            option: Option(name: "colour-space", placeholder: "SPACE", help: "Colour space of the photos.")),
        RecipeSetting(
            "format", \.format, .choice, usual: .jpeg, isAlwaysWritten: true,
            option: Option(
                name: "format", placeholder: "FORMAT", isRepeatable: true,
                help: "jpeg; avif or jxl (JPEG XL), smaller but slower to encode; tiff or png, 16 bits a channel "
                    + "for further editing. Repeat for several formats. (default: jpeg)")),
        RecipeSetting(
            "noise-reduction", \.noiseReduction, .number(0...1, else: "auto", zero: "off"), usual: nil,
            problem: "the noise reduction must be between 0 and 1, or auto",
            option: Option(
                name: "noise", placeholder: "AMOUNT", suggestions: ["auto", "0"],
                help: "Strength of noise reduction, from 0 (none) to 1; auto begins at ISO 400 and is full from "
                    + "ISO 1600 on.")),
        RecipeSetting(
            "strip", \.stripped, .details, usual: [],
            option: Option(
                name: "strip", placeholder: "WHAT", isOptional: true,
                suggestions: ["all"] + PrivateDetail.allCases.map(\.rawValue),
                help: "Metadata to leave out of the photos: all, or some of location, paths, serial and owner, "
                    + "separated by commas.")),
        RecipeSetting(
            "subsampling", \.subsampling, .choice, usual: .auto, formats: [.jpeg],
            option: Option(
                name: "subsampling", placeholder: "RATIO",
                help: "Chroma subsampling of JPEGs: 444 keeps all colour, 422 half, 420 a quarter. auto is 444 from "
                    + "quality \(JPEGSubsampling.fullFromQuality) on, and 420 below.")),
        RecipeSetting(
            "progressive", \.isProgressive, .flag, usual: false, formats: [.jpeg],
            option: Option(
                name: "progressive",
                help: "Progressive JPEGs, shown from coarse to fine: a little smaller, but slower to encode.")),
        RecipeSetting(
            "hdr", \.hasGainMap, .flag, usual: false, formats: [.jpeg],
            option: Option(
                name: "hdr",
                help: "JPEGs with a gain map (Ultra HDR): HDR displays show highlights at their true brightness, "
                    + "other displays show the ordinary JPEG.")),
        RecipeSetting(
            "sharpening", \.sharpening, .number(0...1), usual: Recipe.usualSharpening,
            problem: "the sharpening must be between 0 and 1",
            option: Option(
                name: "sharpen", placeholder: "AMOUNT",
                help: "Strength of sharpening, from 0 (none) to 1. Reduced photos are sharpened again.")),
        RecipeSetting(
            "lens", \.keepsLens, .word("off", else: "auto"), usual: false,
            option: Option(
                name: "lens", placeholder: "RULE",
                help: "Correction of distortion, vignetting and colour fringes: auto applies it if the RAW "
                    + "describes them or the lens is known (`rawmill lenses list`), off never.")),
        RecipeSetting("lens-table", \.lensTable, .digest, usual: nil, option: nil),
        RecipeSetting("camera-profiles", \.cameraProfiles, .digest, usual: nil, option: nil),
        RecipeSetting(
            "brightness", \.brightness, .choice, usual: .camera,
            option: Option(
                name: "brightness", placeholder: "RULE",
                help:
                    "Brightness before the exposure correction: camera matches the camera's preview, metered measures the "
                    + "highlights, exposed keeps the exposure, so that photos of equal exposure are equally bright.")),
    ]

    /// The setting of an option or HTTP parameter; nil for other names.
    public static func named(_ name: String) -> RecipeSetting? { byName[name] }

    private static let byName = Dictionary(all.compactMap { one in one.option.map { ($0.name, one) } }) { $1 }
}
