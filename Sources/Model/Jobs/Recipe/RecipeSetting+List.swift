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
                help: "How much of the look: 0 none, 1 all of it.")),
        RecipeSetting(
            "exposure", \.exposureStops, .number(-10...10), usual: 0, isAlwaysWritten: true,
            problem: "the exposure must be between -10 and 10 stops",
            option: Option(
                name: "exposure", placeholder: "STOPS",
                slider: .init("Exposure", -3...3, step: 0.05, usual: 0, isSigned: true), help: "Brighter or darker.")),
        RecipeSetting(
            "white-balance", \.whiteBalance, .whiteBalance, usual: nil, isAlwaysWritten: true,
            problem: "the temperature must be 1500 to 50000 kelvin, and the tint between -150 and 150",
            option: Option(
                name: "white-balance", placeholder: "K[,TINT]", isOptional: true,
                help: "The light that is to be white: 5200, or 5200,10 with a tint from -150 (green) to 150 "
                    + "(magenta). (default: as-shot)")),
        RecipeSetting(
            "long-edge", \.longEdgePixels, .whole(16...65_500, else: "full"), usual: nil, isAlwaysWritten: true,
            problem: "the long edge must be 16 to 65500 pixels",
            option: Option(
                name: "long-edge", placeholder: "PX", isRepeatable: true,
                help: "Longest side of the photo in pixels, or full; never more than the RAW has. Several give "
                    + "each size. (default: full)")),
        RecipeSetting(
            "quality", \.quality, .whole(1...100), usual: Recipe.usualQuality, isAlwaysWritten: true,
            formats: Set(PhotoFormat.allCases.filter(\.hasQuality)), problem: "the quality must be 1 to 100",
            option: Option(
                name: "quality", short: "q", placeholder: "N", isRepeatable: true,
                help: "Quality of JPEGs, and of AVIFs and JPEG XLs that look about as good, 1 to 100; several "
                    + "give each. (default: \(Recipe.usualQuality))")),
        RecipeSetting(
            "colour-space", \.colourSpace, .choice, usual: .sRGB, isAlwaysWritten: true,
            option: Option(name: "colour-space", placeholder: "SPACE", help: "Colour space of the photos.")),
        RecipeSetting(
            "format", \.format, .choice, usual: .jpeg, isAlwaysWritten: true,
            option: Option(
                name: "format", placeholder: "FORMAT", isRepeatable: true,
                help: "jpeg; avif or jxl (JPEG XL), smaller and slower to make; or tiff or png with 16 bits a "
                    + "channel for more work in other programs; several give each. (default: jpeg)")),
        RecipeSetting(
            "noise-reduction", \.noiseReduction, .number(0...1, else: "auto", zero: "off"), usual: nil,
            problem: "the noise reduction must be between 0 and 1, or auto",
            option: Option(
                name: "noise", placeholder: "AMOUNT",
                help: "How much noise is removed: 0 none, 1 most of it; auto begins at ISO 400 and is full from "
                    + "ISO 1600 on.")),
        RecipeSetting(
            "strip", \.stripped, .details, usual: [],
            option: Option(
                name: "strip", placeholder: "WHAT", isOptional: true,
                help: "Metadata to leave out of the photos: location, paths, serial, owner with commas between "
                    + "them, or all.")),
        RecipeSetting(
            "subsampling", \.subsampling, .choice, usual: .auto, formats: [.jpeg],
            option: Option(
                name: "subsampling", placeholder: "RATIO",
                help: "How much colour the JPEGs keep: 444 all of it, 422 half, 420 a quarter. auto is 444 from "
                    + "quality \(JPEGSubsampling.fullFromQuality) on, and 420 below.")),
        RecipeSetting(
            "progressive", \.isProgressive, .flag, usual: false, formats: [.jpeg],
            option: Option(
                name: "progressive",
                help: "JPEGs that come from coarse to fine over a slow line: a little smaller, and slower to make.")),
        RecipeSetting(
            "hdr", \.hasGainMap, .flag, usual: false, formats: [.jpeg],
            option: Option(
                name: "hdr",
                help: "JPEGs with a gain map (Ultra HDR): displays that are brighter than white show highlights "
                    + "as bright as they were; others show the same JPEG as ever.")),
        RecipeSetting(
            "sharpening", \.sharpening, .number(0...1), usual: Recipe.usualSharpening,
            problem: "the sharpening must be between 0 and 1",
            option: Option(
                name: "sharpen", placeholder: "AMOUNT",
                help: "How much fine detail is sharpened, and again in photos made smaller: 0 not at all.")),
        RecipeSetting(
            "lens", \.keepsLens, .word("off", else: "auto"), usual: false,
            option: Option(
                name: "lens", placeholder: "RULE",
                help: "Whether distortion, vignetting and colour fringes are corrected: auto does it where the "
                    + "RAW describes them or the lens is known (`rawmill lenses list`), off leaves them.")),
        RecipeSetting("lens-table", \.lensTable, .digest, usual: nil, option: nil),
        RecipeSetting("camera-profiles", \.cameraProfiles, .digest, usual: nil, option: nil),
        RecipeSetting(
            "brightness", \.brightness, .choice, usual: .camera,
            option: Option(
                name: "brightness", placeholder: "RULE",
                help:
                    "How bright the photos are before the exposure is added: camera as its own preview, metered by the "
                    + "highlights, exposed as the sensor was, the same for all photos of one exposure.")),
    ]

    /// The setting of an option or HTTP parameter; nil for other names.
    public static func named(_ name: String) -> RecipeSetting? { byName[name] }

    private static let byName = Dictionary(all.compactMap { one in one.option.map { ($0.name, one) } }) { $1 }
}
