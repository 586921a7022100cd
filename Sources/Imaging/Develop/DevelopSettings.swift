public import PictureFormat
public import Pixels

/// Which light counts as white.
public enum WhiteBalance: Hashable, Sendable {
    /// What the camera chose; daylight where the file does not say.
    case asShot
    /// A light of this temperature in kelvin (1,500…50,000, of which
    /// 1,667…25,000 are told apart) and a tint
    /// (-150…150, positive towards magenta, 0 on the locus).
    case temperature(kelvin: Float, tint: Float)
}

/// How bright a picture becomes before `DevelopSettings.exposure` is added.
public enum Brightness: Hashable, Sendable {
    /// As the camera exposed it.
    case asExposed
    /// As exposed, or up to one and a half stops brighter where the highlights leave room.
    case metered
    /// As bright as the camera's own picture of the same shot, or `metered` where that shows something else.
    case matching(SmallPicture)
}

/// Everything that decides how a picture is developed, apart from the look.
public struct DevelopSettings: Hashable, Sendable {
    /// Stops added to what `brightness` gives.
    public var exposure: Float
    public var brightness: Brightness
    public var whiteBalance: WhiteBalance
    /// The longer edge of the full-size picture in pixels; nil leaves the size alone. Never enlarges.
    public var longEdge: Int?
    /// Takes out colour noise where the ISO speed lets expect some.
    public var reducesNoise: Bool
    public var colourSpace: ColourSpace
    public var subsampling: ChromaSubsampling
    /// Threads to use for one picture; the bytes are the same for any number.
    public var threads: Int

    public init(
        exposure: Float = 0, brightness: Brightness = .metered, whiteBalance: WhiteBalance = .asShot,
        longEdge: Int? = nil, reducesNoise: Bool = true, colourSpace: ColourSpace = .sRGB,
        subsampling: ChromaSubsampling = .quarter,
        threads: Int = 1
    ) {
        self.exposure = exposure
        self.brightness = brightness
        self.whiteBalance = whiteBalance
        self.longEdge = longEdge
        self.reducesNoise = reducesNoise
        self.colourSpace = colourSpace
        self.subsampling = subsampling
        self.threads = threads
    }
}
