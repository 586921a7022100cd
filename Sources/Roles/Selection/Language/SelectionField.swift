package import Manifests
internal import PictureFormat

/// A field of selections: a fact of `PhotoFact.all`, or one of these. The raw value is its name in selections.
public struct SelectionField: Hashable, Sendable {
    /// The name in selections.
    public let rawValue: String

    /// Nil for an unknown name.
    public init?(rawValue: String) {
        guard let known = Self.byName[rawValue] else { return nil }
        self = known
    }

    private init(_ name: String) { rawValue = name }

    /// The look, of any version or of one: `velvet`, `velvet@2`.
    package static let look = SelectionField("look")
    package static let version = SelectionField("version")
    /// The camera's model, or its make and model.
    package static let camera = SelectionField("camera")
    package static let taken = SelectionField("taken")
    /// The lens correction, or why there is none.
    static let lens = SelectionField("lens")
    /// The stars, −1 (rejected) to 5; 0 for none.
    package static let rating = SelectionField("rating")
    /// A keyword; empty without any.
    static let keyword = SelectionField("keyword")
    package static let engine = SelectionField("engine")
    package static let format = SelectionField("format")
    /// In pixels.
    package static let width = SelectionField("width")
    /// In pixels.
    package static let height = SelectionField("height")
    static let megapixels = SelectionField("megapixels")
    /// The length of the photo's file.
    package static let bytes = SelectionField("bytes")
    /// The length of the RAW.
    static let rawbytes = SelectionField("rawbytes")
    package static let root = SelectionField("root")
    /// The RAW's path below its root.
    package static let path = SelectionField("path")
    /// A folder that contains the RAW, at any depth.
    package static let folder = SelectionField("folder")
    /// The photo's path below the library's folder.
    package static let photo = SelectionField("photo")
    /// The first digits of the asset's id.
    package static let asset = SelectionField("asset")
    package static let frame = SelectionField("frame")
    /// An album that contains the photograph; empty without any.
    package static let album = SelectionField("album")
    /// A photo's path; selects the photos of its burst.
    static let burst = SelectionField("burst")
    /// The recipe's exposure in stops.
    static let exposure = SelectionField("exposure")
    static let strength = SelectionField("strength")
    /// The recipe's colour temperature in kelvin; empty for as shot.
    static let temperature = SelectionField("temperature")
    /// The recipe's tint; empty for as shot.
    static let tint = SelectionField("tint")
    /// The recipe's longest side; empty for full size.
    static let longedge = SelectionField("longedge")
    static let quality = SelectionField("quality")
    /// The recipe's noise reduction; empty if derived from the ISO speed.
    static let noise = SelectionField("noise")
    static let sharpening = SelectionField("sharpening")
    static let space = SelectionField("space")
    package static let degraded = SelectionField("degraded")

    private static let own: [SelectionField] = [
        .look, .version, .camera, .taken, .lens, .rating, .keyword, .engine, .format, .width, .height, .megapixels,
        .bytes, .rawbytes, .root, .path, .folder, .photo, .asset, .frame, .album, .burst, .exposure, .strength,
        .temperature, .tint, .longedge, .quality, .noise, .sharpening, .space,
    ]

    /// All fields.
    public static let allCases = own + facts.keys.sorted().map { SelectionField($0) }
    private static let byName = Dictionary(allCases.map { ($0.rawValue, $0) }) { $1 }
    private static let facts = Dictionary(PhotoFact.all.compactMap { fact in fact.field.map { ($0, fact) } }) { $1 }

    package var fact: PhotoFact? { Self.facts[rawValue] }

    package enum Kind: Hashable {
        case number
        /// Ignores case of A to Z, unless the text names files.
        case text(isExact: Bool)
        case date, look, folder, asset
        /// One of these words.
        case choice([String])
    }

    package var kind: Kind {
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

    /// Whether `<` and similar operators apply.
    var isOrdered: Bool {
        switch kind {
        case .number, .text, .date: ![.camera, .keyword, .album, .burst].contains(self)
        case .look, .folder, .asset, .choice: false
        }
    }

    var takesPatterns: Bool {
        switch kind {
        case .text, .look: self != .burst
        case .number, .date, .folder, .asset, .choice: false
        }
    }
}
