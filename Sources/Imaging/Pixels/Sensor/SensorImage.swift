public import PictureFormat

/// Colour that one sample of a sensor records.
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
    /// No filter: one grey sample per pixel.
    case monochrome
    /// Already interpolated: red, green and blue of each pixel side by side, so that the plane is three times as wide
    /// as the picture.
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

    /// Creates levels; nil unless there is exactly one finite value for each position, and the block is 1 to 64 samples
    /// high and wide.
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

    /// The identity matrix.
    public static let identity = Matrix3([1, 0, 0, 0, 1, 0, 0, 0, 1])
}

/// The matrix from CIE XYZ to camera colour, measured under one light.
public struct CameraMatrix: Hashable, Sendable {
    /// EXIF LightSource number of the light (21 is D65, 17 is standard light A); nil if unknown.
    public let illuminant: Int?
    /// The light's chromaticity (CIE 1931 x, y) if the file states it; it takes precedence over the number.
    public var white: SIMD2<Double>?
    /// Columns are X, Y, Z, rows the camera's red, green, blue.
    public let xyzToCamera: Matrix3
    /// From balanced colour of the reference camera to XYZ under D50 (DNG's ForwardMatrix); nil to use the inverse of
    /// `xyzToCamera`.
    public var forward: Matrix3?
    /// From the reference camera's colour to this camera's (DNG's AnalogBalance × CameraCalibration).
    public var calibration = Matrix3.identity
    /// Table applied after the matrices (DNG's ProfileHueSatMap); nil for none.
    public var hueSatMap: HueSatMap?

    /// - Parameters:
    ///   - illuminant: EXIF LightSource number; nil if unknown.
    ///   - xyzToCamera: columns are X, Y, Z, rows the camera's red, green, blue.
    public init(illuminant: Int?, xyzToCamera: Matrix3) {
        self.illuminant = illuminant
        self.xyzToCamera = xyzToCamera
    }
}

/// Noise of green samples according to a file: a variance linear in light, which is 1 at saturation (DNG's
/// NoiseProfile).
public struct StatedNoise: Hashable, Sendable {
    /// Shot noise: variance for each unit of light.
    public let perLight: Float
    /// Variance in the dark.
    public let dark: Float

    /// Creates the noise; nil for implausible numbers.
    public init?(perLight: Float, dark: Float) {
        guard perLight > 0, perLight < 0.1, dark >= 0, dark < 0.1 else { return nil }
        self.perLight = perLight
        self.dark = dark
    }
}

/// Facts about the sensor and the shot for developing.
public struct SensorFacts: Sendable {
    /// The colour filter array.
    public var layout: SensorLayout
    /// The picture inside the plane, in pixels (not samples). Demosaicing may read the margins around it.
    public var crop: PixelRect
    /// Black levels in sensor counts.
    public var black: BlackLevels
    /// Saturation in sensor counts: red, green, blue.
    public var white: [Float]
    /// As-shot multipliers of red, green, blue, with green 1; nil if the file has none and none could be estimated.
    public var whiteBalance: [Float]?
    /// Whether `whiteBalance` was estimated from the picture, because the camera recorded none.
    public var whiteBalanceIsEstimated = false
    /// The camera's colour matrices, one for each light. Empty if the camera's colours are unknown: its pictures are
    /// `degraded`.
    public var matrices: [CameraMatrix]
    /// Orientation that makes the picture upright.
    public var orientation: Orientation
    /// Width of a pixel divided by its height; 1 for nearly every camera.
    public var pixelAspect: Double
    /// DNG's BaselineExposure, in stops; 0 for other formats.
    public var baselineExposure: Float
    /// ISO sensitivity; nil if not recorded.
    public var isoSpeed: Float?
    /// Corrections that the file prescribes.
    public var corrections = SensorCorrections.none
    /// The profile's colour shifts by brightness (DNG's ProfileLookTable); nil for none.
    public var lookTable: HueSatMap?
    /// The noise that the file states; nil if absent.
    public var noise: StatedNoise?

    /// Creates facts from their properties.
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
    /// Facts about the samples.
    public let facts: SensorFacts

    /// Creates an image from its properties.
    public init(plane: consuming Plane<UInt16>, facts: SensorFacts) {
        self.plane = plane
        self.facts = facts
    }
}
