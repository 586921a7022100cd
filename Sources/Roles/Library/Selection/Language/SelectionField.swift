internal import PictureFormat

/// What photos can be selected by. The raw value is what people write.
public enum SelectionField: String, Hashable, Sendable, CaseIterable {
    /// The look, of any version or of one: `velvet`, `velvet@2`.
    case look
    /// The look's version.
    case version
    /// The camera's model, or its make and model.
    case camera
    /// The camera's make.
    case make
    /// The camera's model.
    case model
    /// When the photo was taken.
    case taken
    /// What of the lens was corrected, or why nothing was.
    case lens
    /// The stars that people gave it, −1 (rejected) to 5; 0 for none.
    case rating
    /// A keyword that people gave it; empty for none.
    case keyword
    /// The version of the engine that rendered it.
    case engine
    /// The kind of the photo's file.
    case format
    /// The photo's width in pixels.
    case width
    /// The photo's height in pixels.
    case height
    /// The photo's pixels in millions.
    case megapixels
    /// The length of the photo's file.
    case bytes
    /// The length of the RAW.
    case rawbytes
    /// Why the photo is degraded.
    case degraded
    /// The name of the root that the RAW is in.
    case root
    /// The RAW's path below its root.
    case path
    /// A folder that the RAW is in, or below which it is.
    case folder
    /// The photo's own path below the library's folder.
    case photo
    /// The first digits of the asset's id.
    case asset
    /// The frame's index within the RAW.
    case frame
    /// An album that the photograph is in; empty for none.
    case album
    /// The path of a photo; the photo is of the same burst.
    case burst
    /// Stops of exposure that the recipe adds.
    case exposure
    /// How much of the look is applied.
    case strength
    /// The recipe's colour temperature in kelvin; empty as shot.
    case temperature
    /// The recipe's tint; empty as shot.
    case tint
    /// The longest side that the recipe asks for; empty for full size.
    case longedge
    /// The quality that the recipe asks for.
    case quality
    /// How much of the noise the recipe removes; empty by the ISO speed.
    case noise
    /// How much the recipe sharpens.
    case sharpening
    /// The recipe's colour space.
    case space

    /// How a field's values are written and compared.
    enum Kind: Hashable {
        case number
        /// Cases of A to Z are equal, unless the text names files.
        case text(isExact: Bool)
        case date, look, folder, asset
        /// One of a few words.
        case choice([String])
    }

    /// How its values are written and compared.
    var kind: Kind {
        switch self {
        case .version, .rating, .engine, .width, .height, .megapixels, .bytes, .rawbytes, .frame, .exposure, .strength,
            .temperature, .tint, .longedge, .quality, .noise, .sharpening:
            .number
        case .camera, .make, .model, .lens, .keyword, .degraded: .text(isExact: false)
        case .root, .path, .photo, .album, .burst: .text(isExact: true)
        case .taken: .date
        case .look: .look
        case .folder: .folder
        case .asset: .asset
        case .format: .choice(PhotoFormat.allCases.map(\.rawValue))
        case .space: .choice(ColourSpace.allCases.map(\.rawValue))
        }
    }

    /// True if `<` and its like mean something.
    var isOrdered: Bool {
        switch kind {
        case .number, .text, .date: ![.camera, .keyword, .album, .burst].contains(self)
        case .look, .folder, .asset, .choice: false
        }
    }

    /// True if `like` means something.
    var takesPatterns: Bool {
        switch kind {
        case .text, .look: self != .burst
        case .number, .date, .folder, .asset, .choice: false
        }
    }
}
