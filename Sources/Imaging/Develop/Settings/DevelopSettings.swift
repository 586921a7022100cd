public import PictureFormat
public import Pixels

/// The light that counts as white.
public enum WhiteBalance: Hashable, Sendable {
    /// The camera's choice; daylight if the file does not say.
    case asShot
    /// A light by its temperature in kelvin (1,500…50,000, clamped to 1,667…25,000) and its tint (-150…150, positive
    /// towards magenta, 0 on the locus).
    case temperature(kelvin: Float, tint: Float)
}

/// How bright a picture becomes before `DevelopSettings.exposure` is added.
public enum Brightness: Hashable, Sendable {
    /// As the camera exposed it.
    case asExposed
    /// As exposed, or up to one and a half stops brighter if the highlights allow it.
    case metered
    /// As bright as the camera's preview of the same shot, or `metered` if the preview shows something else.
    case matching(SmallPicture)
}

/// Everything that decides how a picture is developed, apart from the look.
public struct DevelopSettings: Hashable, Sendable {
    /// Stops added to what `brightness` gives.
    public var exposure: Float
    /// How bright the picture becomes before `exposure` is added.
    public var brightness: Brightness
    /// The light that counts as white.
    public var whiteBalance: WhiteBalance
    /// The longer edge of the full-size picture in pixels; nil keeps its size. A picture is never enlarged.
    public var longEdge: Int?
    /// How much of the noise is removed, 0…1, most of it from colours; nil goes by the ISO speed.
    public var noiseReduction: Float?
    /// How much the finest detail is sharpened, 0…1: 0 leaves it as lens, sensor and interpolation made it.
    public var sharpening: Float
    /// Whether faults of the lens are corrected that the file describes.
    public var correctsLens: Bool
    /// What corrects the lens where the file itself does not, and that is to be done.
    public var lens: SensorCorrections
    /// The colour space of the output.
    public var colourSpace: ColourSpace
    /// Bits of the full-size picture's samples. Previews have 8.
    public var depth: PictureDepth
    /// The chroma subsampling of the output, where it has 8 bits.
    public var subsampling: ChromaSubsampling
    /// The chroma subsampling of a preview; nil for that of the output.
    public var previewSubsampling: ChromaSubsampling?
    /// Whether a gain map is made beside the preview, of its size.
    public var makesGainMap: Bool
    /// Threads to use for one picture. The bytes are the same for any number.
    public var threads: Int

    /// Settings of which every value has a default.
    public init(
        exposure: Float = 0, brightness: Brightness = .metered, whiteBalance: WhiteBalance = .asShot,
        longEdge: Int? = nil, noiseReduction: Float? = nil, sharpening: Float = 0, correctsLens: Bool = true,
        lens: SensorCorrections = .none, colourSpace: ColourSpace = .sRGB, depth: PictureDepth = .eight,
        subsampling: ChromaSubsampling = .quarter, previewSubsampling: ChromaSubsampling? = nil,
        makesGainMap: Bool = false, threads: Int = 1
    ) {
        self.exposure = exposure
        self.brightness = brightness
        self.whiteBalance = whiteBalance
        self.longEdge = longEdge
        self.noiseReduction = noiseReduction
        self.sharpening = sharpening
        self.correctsLens = correctsLens
        self.lens = lens
        self.colourSpace = colourSpace
        self.depth = depth
        self.subsampling = subsampling
        self.previewSubsampling = previewSubsampling
        self.makesGainMap = makesGainMap
        self.threads = threads
    }
}
