public import PictureFormat

/// What one sample of a sensor sees.
public enum CFAColour: UInt8, Hashable, Sendable {
    case red, green, blue
}

/// The colour filter array over the plane's whole area, phase included: `[0]` is the colour of sample (0, 0).
public enum SensorLayout: Hashable, Sendable {
    /// A 2 × 2 Bayer pattern, row by row.
    case bayer([CFAColour])
    /// A 6 × 6 Fujifilm X-Trans pattern, row by row.
    case xTrans([CFAColour])
    /// No filter: one grey sample a pixel.
    case monochrome
    /// Already interpolated: three camera colours a pixel, red green blue next to one another in each row
    /// (so the plane is three times as wide as the picture).
    case linearRGB

    public var samplesPerPixel: Int { self == .linearRGB ? 3 : 1 }
}

/// Black level of each sample: one value per position of a repeating block, in sensor counts.
public struct BlackLevels: Hashable, Sendable {
    /// Size of the repeating block; (1, 1) is one level for all. For `linearRGB` the block is 3 × 1.
    public let repeatSize: PixelSize
    /// Row by row, `repeatSize.pixelCount` values.
    public let values: [Float]

    private init() {
        repeatSize = PixelSize(width: 1, height: 1)
        values = [0]
    }

    /// Black is 0 everywhere.
    public static let zero = BlackLevels()

    /// Fails unless there is exactly one finite value per position and at least one position.
    public init?(repeatSize: PixelSize, values: [Float]) {
        guard repeatSize.width > 0, repeatSize.height > 0, repeatSize.width <= 64, repeatSize.height <= 64,
            values.count == repeatSize.pixelCount, values.allSatisfy(\.isFinite)
        else { return nil }
        self.repeatSize = repeatSize
        self.values = values
    }
}

/// A matrix of three rows, row-major.
public struct Matrix3: Hashable, Sendable {
    public var elements: [Float]

    /// - Parameter elements: nine values, row by row.
    public init(_ elements: [Float]) {
        precondition(elements.count == 9, "a 3 × 3 matrix has nine elements")
        self.elements = elements
    }

    public static let identity = Matrix3([1, 0, 0, 0, 1, 0, 0, 0, 1])
}

/// CIE XYZ to camera colour, measured under one light.
public struct CameraMatrix: Hashable, Sendable {
    /// EXIF LightSource number of the light (21 is D65, 17 is standard light A); nil where it is not known.
    public let illuminant: Int?
    public let xyzToCamera: Matrix3

    public init(illuminant: Int?, xyzToCamera: Matrix3) {
        self.illuminant = illuminant
        self.xyzToCamera = xyzToCamera
    }
}

/// Everything developing a picture needs to know about the camera that took it.
public struct SensorFacts: Sendable {
    public var layout: SensorLayout
    /// The picture inside the plane, in pixels (not samples). Margins around it may be read by demosaicing.
    public var crop: PixelRect
    public var black: BlackLevels
    /// Saturation in sensor counts, red green blue.
    public var white: [Float]
    /// As-shot multipliers, red green blue, green 1; nil where the file has none and none could be estimated.
    public var whiteBalance: [Float]?
    /// True where the camera recorded no balance and `whiteBalance` comes from the picture itself.
    public var whiteBalanceIsEstimated = false
    /// None for a camera whose colours are not known: such a picture is `degraded`.
    public var matrices: [CameraMatrix]
    public var orientation: Orientation
    /// Width of a pixel over its height; 1 for nearly every camera.
    public var pixelAspect: Double
    /// DNG BaselineExposure, in stops; 0 elsewhere.
    public var baselineExposure: Float
    /// ISO sensitivity, nil where not recorded.
    public var isoSpeed: Float?

    public init(
        layout: SensorLayout, crop: PixelRect, black: BlackLevels, white: [Float], whiteBalance: [Float]?,
        matrices: [CameraMatrix], orientation: Orientation = .upright, pixelAspect: Double = 1,
        baselineExposure: Float = 0, isoSpeed: Float? = nil
    ) {
        self.layout = layout
        self.crop = crop
        self.black = black
        self.white = white
        self.whiteBalance = whiteBalance
        self.matrices = matrices
        self.orientation = orientation
        self.pixelAspect = pixelAspect
        self.baselineExposure = baselineExposure
        self.isoSpeed = isoSpeed
    }
}

/// The sensor's own samples, as the camera wrote them, with the facts to develop them.
public struct SensorImage: ~Copyable, Sendable {
    public let plane: Plane<UInt16>
    public let facts: SensorFacts

    public init(plane: consuming Plane<UInt16>, facts: SensorFacts) {
        self.plane = plane
        self.facts = facts
    }
}
