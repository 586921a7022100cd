public import PictureFormat

/// What one sample of a sensor sees.
public enum CFAColour: UInt8, Hashable, Sendable {
    /// The colour of the filter over the sample.
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
    /// Already interpolated: red, green and blue of each pixel side by side, so the plane is three times as wide as the
    /// picture.
    case linearRGB

    /// Samples of the plane for each pixel: 3 for `linearRGB`, 1 for all others.
    public var samplesPerPixel: Int { self == .linearRGB ? 3 : 1 }
}

/// The sensor's black levels: one value for each position of a repeating block, in sensor counts.
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

    /// Nil unless there is exactly one finite value for each position, and the block is 1 to 64 samples high and wide.
    public init?(repeatSize: PixelSize, values: [Float]) {
        guard repeatSize.width > 0, repeatSize.height > 0, repeatSize.width <= 64, repeatSize.height <= 64,
            values.count == repeatSize.pixelCount, values.allSatisfy(\.isFinite)
        else { return nil }
        self.repeatSize = repeatSize
        self.values = values
    }
}

/// A 3 × 3 matrix.
public struct Matrix3: Hashable, Sendable {
    /// Nine values, row by row.
    public var elements: [Float]

    /// - Parameter elements: nine values, row by row.
    public init(_ elements: [Float]) {
        precondition(elements.count == 9, "a 3 × 3 matrix has nine elements")
        self.elements = elements
    }

    /// Leaves every vector as it is.
    public static let identity = Matrix3([1, 0, 0, 0, 1, 0, 0, 0, 1])
}

/// The matrix from CIE XYZ to camera colour, measured under one light.
public struct CameraMatrix: Hashable, Sendable {
    /// EXIF LightSource number of the light (21 is D65, 17 is standard light A); nil where it is not known.
    public let illuminant: Int?
    /// The light's chromaticity (CIE 1931 x, y), where that is known otherwise; it goes before the number.
    public var white: SIMD2<Double>?
    /// Columns are X, Y, Z, rows the camera's red, green, blue.
    public let xyzToCamera: Matrix3
    /// From balanced colour of the reference camera to XYZ under D50 (DNG's ForwardMatrix); nil where the inverse of
    /// `xyzToCamera` serves.
    public var forward: Matrix3?
    /// From the reference camera's colour to this camera's (DNG's AnalogBalance × CameraCalibration).
    public var calibration = Matrix3.identity
    /// What the matrices do not do (DNG's ProfileHueSatMap); nil for nothing.
    public var hueSatMap: HueSatMap?

    /// - Parameters:
    ///   - illuminant: EXIF LightSource number; nil where it is not known.
    ///   - xyzToCamera: columns are X, Y, Z, rows the camera's red, green, blue.
    public init(illuminant: Int?, xyzToCamera: Matrix3) {
        self.illuminant = illuminant
        self.xyzToCamera = xyzToCamera
    }
}

/// The noise of green samples as a file states it: a variance that grows with the light, which is 1 at saturation (DNG's
/// NoiseProfile).
public struct StatedNoise: Hashable, Sendable {
    /// Shot noise: variance for each unit of light.
    public let perLight: Float
    /// The variance in the dark.
    public let dark: Float

    /// Nil where no sensor has such noise.
    public init?(perLight: Float, dark: Float) {
        guard perLight > 0, perLight < 0.1, dark >= 0, dark < 0.1 else { return nil }
        self.perLight = perLight
        self.dark = dark
    }
}

/// What developing needs to know about the sensor and the shot.
public struct SensorFacts: Sendable {
    /// The colour filter array.
    public var layout: SensorLayout
    /// The picture inside the plane, in pixels (not samples). Demosaicing may read the margins around it.
    public var crop: PixelRect
    /// The sensor counts that mean no light.
    public var black: BlackLevels
    /// Saturation in sensor counts: red, green, blue.
    public var white: [Float]
    /// As-shot multipliers of red, green, blue, with green 1; nil where the file has none and none could be estimated.
    public var whiteBalance: [Float]?
    /// True where the camera recorded no balance and `whiteBalance` was estimated from the picture.
    public var whiteBalanceIsEstimated = false
    /// The camera's colour matrices, one for each light. Empty for a camera whose colours are not known: its pictures
    /// are `degraded`.
    public var matrices: [CameraMatrix]
    /// How to turn the picture upright.
    public var orientation: Orientation
    /// Width of a pixel over its height; 1 for nearly every camera.
    public var pixelAspect: Double
    /// DNG BaselineExposure, in stops; 0 elsewhere.
    public var baselineExposure: Float
    /// ISO sensitivity; nil where not recorded.
    public var isoSpeed: Float?
    /// What the file asks to correct.
    public var corrections = SensorCorrections.none
    /// How the profile's maker moves colours by their brightness (DNG's ProfileLookTable); nil for not at all.
    public var lookTable: HueSatMap?
    /// The noise that the file states; nil where it does not.
    public var noise: StatedNoise?

    /// The parameters are the properties of the same names.
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

/// The sensor's samples as the camera wrote them, with the facts to develop them.
public struct SensorImage: ~Copyable, Sendable {
    /// All samples, margins included.
    public let plane: Plane<UInt16>
    /// What the samples mean.
    public let facts: SensorFacts

    /// - Parameters:
    ///   - plane: all samples, margins included.
    ///   - facts: what the samples mean.
    public init(plane: consuming Plane<UInt16>, facts: SensorFacts) {
        self.plane = plane
        self.facts = facts
    }
}
