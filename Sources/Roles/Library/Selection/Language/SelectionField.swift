internal import Manifests
internal import PictureFormat

/// What photos can be selected by: a fact of `PhotoFact.all`, or one of these. The raw value is what people write.
public struct SelectionField: Hashable, Sendable {
    /// The name, as people write it.
    public let rawValue: String

    /// Nil for a name of none.
    public init?(rawValue: String) {
        guard let known = Self.byName[rawValue] else { return nil }
        self = known
    }

    private init(_ name: String) { rawValue = name }

    /// The look, of any version or of one: `velvet`, `velvet@2`.
    static let look = SelectionField("look")
    /// The look's version.
    static let version = SelectionField("version")
    /// The camera's model, or its make and model.
    static let camera = SelectionField("camera")
    /// When the photo was taken.
    static let taken = SelectionField("taken")
    /// What of the lens was corrected, or why nothing was.
    static let lens = SelectionField("lens")
    /// The stars that people gave it, −1 (rejected) to 5; 0 for none.
    static let rating = SelectionField("rating")
    /// A keyword that people gave it; empty for none.
    static let keyword = SelectionField("keyword")
    /// The version of the engine that rendered it.
    static let engine = SelectionField("engine")
    /// The kind of the photo's file.
    static let format = SelectionField("format")
    /// The photo's width in pixels.
    static let width = SelectionField("width")
    /// The photo's height in pixels.
    static let height = SelectionField("height")
    /// The photo's pixels in millions.
    static let megapixels = SelectionField("megapixels")
    /// The length of the photo's file.
    static let bytes = SelectionField("bytes")
    /// The length of the RAW.
    static let rawbytes = SelectionField("rawbytes")
    /// The name of the root that the RAW is in.
    static let root = SelectionField("root")
    /// The RAW's path below its root.
    static let path = SelectionField("path")
    /// A folder that the RAW is in, or below which it is.
    static let folder = SelectionField("folder")
    /// The photo's own path below the library's folder.
    static let photo = SelectionField("photo")
    /// The first digits of the asset's id.
    static let asset = SelectionField("asset")
    /// The frame's index within the RAW.
    static let frame = SelectionField("frame")
    /// An album that the photograph is in; empty for none.
    static let album = SelectionField("album")
    /// The path of a photo; the photo is of the same burst.
    static let burst = SelectionField("burst")
    /// Stops of exposure that the recipe adds.
    static let exposure = SelectionField("exposure")
    /// How much of the look is applied.
    static let strength = SelectionField("strength")
    /// The recipe's colour temperature in kelvin; empty as shot.
    static let temperature = SelectionField("temperature")
    /// The recipe's tint; empty as shot.
    static let tint = SelectionField("tint")
    /// The longest side that the recipe asks for; empty for full size.
    static let longedge = SelectionField("longedge")
    /// The quality that the recipe asks for.
    static let quality = SelectionField("quality")
    /// How much of the noise the recipe removes; empty by the ISO speed.
    static let noise = SelectionField("noise")
    /// How much the recipe sharpens.
    static let sharpening = SelectionField("sharpening")
    /// The recipe's colour space.
    static let space = SelectionField("space")
    /// Why the photo is degraded, a fact.
    static let degraded = SelectionField("degraded")

    private static let own: [SelectionField] = [
        .look, .version, .camera, .taken, .lens, .rating, .keyword, .engine, .format, .width, .height, .megapixels,
        .bytes, .rawbytes, .root, .path, .folder, .photo, .asset, .frame, .album, .burst, .exposure, .strength,
        .temperature, .tint, .longedge, .quality, .noise, .sharpening, .space,
    ]

    /// All of them.
    public static let allCases = own + facts.keys.sorted().map { SelectionField($0) }
    private static let byName = Dictionary(allCases.map { ($0.rawValue, $0) }) { $1 }
    private static let facts = Dictionary(PhotoFact.all.compactMap { fact in fact.field.map { ($0, fact) } }) { $1 }

    /// The fact that it is; nil for another field.
    var fact: PhotoFact? { Self.facts[rawValue] }

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
        case .root, .path, .photo, .album, .burst: .text(isExact: true)
        case .taken: .date
        case .look: .look
        case .folder: .folder
        case .asset: .asset
        case .format: .choice(PhotoFormat.allCases.map(\.rawValue))
        case .space: .choice(ColourSpace.allCases.map(\.rawValue))
        default:
            switch fact?.kind {
            case .whole, .number: .number
            case .text, .lines, nil: .text(isExact: false)
            }
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
