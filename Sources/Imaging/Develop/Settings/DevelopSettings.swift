public import PictureFormat
public import Pixels

/// Light that counts as white.
public enum WhiteBalance: Hashable, Sendable {
    /// The camera's choice; daylight if the file states none.
    case asShot
    /// A light by temperature in kelvin (1,500…50,000, clamped to 1,667…25,000) and tint (-150…150, positive towards
    /// magenta, 0 on the locus).
    case temperature(kelvin: Float, tint: Float)
}

/// Brightness of a picture before `DevelopSettings.exposure`.
public enum Brightness: Hashable, Sendable {
    /// As the camera exposed it.
    case asExposed
    /// As exposed, or up to one and a half stops brighter if the highlights allow it.
    case metered
    /// As bright as the camera's preview of the same shot; `metered` if the preview shows something else.
    case matching(SmallPicture)
}

/// All settings of developing except the look.
public struct DevelopSettings: Hashable, Sendable {
    /// Stops added to `brightness`.
    public var exposure: Float
    /// Brightness before `exposure`.
    public var brightness: Brightness
    /// Light that counts as white.
    public var whiteBalance: WhiteBalance
    /// Longer edge of the full-size picture in pixels; nil keeps the size. Pictures are never enlarged.
    public var longEdge: Int?
    /// Strength of noise reduction, 0…1, mostly of colour noise; nil depends on the ISO speed.
    public var noiseReduction: Float?
    /// Sharpening of the finest detail, 0…1; 0 leaves it unchanged.
    public var sharpening: Float
    /// Whether to apply lens corrections that the file describes.
    public var correctsLens: Bool
    /// Lens corrections to apply if the file describes none.
    public var lens: SensorCorrections
    /// Colour space of the output.
    public var colourSpace: ColourSpace
    /// Bits of the full-size picture's samples. Previews have 8.
    public var depth: PictureDepth
    /// Chroma subsampling of 8-bit output.
    public var subsampling: ChromaSubsampling
    /// Chroma subsampling of a preview; nil for the output's.
    public var previewSubsampling: ChromaSubsampling?
    /// Whether to make a gain map of the preview's size.
    public var makesGainMap: Bool
    /// Threads for one picture. The bytes do not depend on it.
    public var threads: Int

    /// Creates settings; every value has a default.
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
