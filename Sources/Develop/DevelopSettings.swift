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

/// Everything that decides how a picture is developed, apart from the look.
public struct DevelopSettings: Hashable, Sendable {
    /// Stops of exposure added to the camera's own.
    public var exposure: Float
    public var whiteBalance: WhiteBalance
    /// Smooths colour noise, the more the higher the ISO speed; nothing happens at low ISO.
    public var reducesChromaNoise: Bool
    /// The longer edge of the full-size picture in pixels; nil leaves the size alone. Never enlarges.
    public var longEdge: Int?
    public var colourSpace: ColourSpace
    public var subsampling: ChromaSubsampling
    /// Threads to use for one picture; the bytes are the same for any number.
    public var threads: Int

    public init(
        exposure: Float = 0, whiteBalance: WhiteBalance = .asShot, reducesChromaNoise: Bool = true,
        longEdge: Int? = nil, colourSpace: ColourSpace = .sRGB, subsampling: ChromaSubsampling = .quarter,
        threads: Int = 1
    ) {
        self.exposure = exposure
        self.whiteBalance = whiteBalance
        self.reducesChromaNoise = reducesChromaNoise
        self.longEdge = longEdge
        self.colourSpace = colourSpace
        self.subsampling = subsampling
        self.threads = threads
    }
}
