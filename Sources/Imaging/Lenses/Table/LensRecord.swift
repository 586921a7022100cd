/// Measurements of a lens with sensors of one size.
public struct LensRecord: Hashable, Sendable {
    /// The maker's name in several spellings or languages, the usual one first.
    public var makers: [String]
    /// The lens's name, likewise.
    public var names: [String]
    /// Compatible mounts, by the names that cameras use.
    public var mounts: [String]
    /// The shortest and the longest focal length in millimetres; 0 if unknown.
    public var focalLengths: SIMD2<Float>
    /// The minimum f-number; 0 if unknown.
    public var minAperture: Float
    /// Sensor of the measurements.
    public var sensor: CalibrationSensor
    /// By focal length, ascending.
    public var distortion: [DistortionPoint]
    /// By focal length, ascending.
    public var lateralColour: [LateralColourPoint]
    /// In any order.
    public var vignetting: [VignettingPoint]

    /// Creates a record from its properties.
    public init(
        makers: [String], names: [String], mounts: [String], focalLengths: SIMD2<Float>, minAperture: Float,
        sensor: CalibrationSensor, distortion: [DistortionPoint] = [], lateralColour: [LateralColourPoint] = [],
        vignetting: [VignettingPoint] = []
    ) {
        self.makers = makers
        self.names = names
        self.mounts = mounts
        self.focalLengths = focalLengths
        self.minAperture = minAperture
        self.sensor = sensor
        self.distortion = distortion
        self.lateralColour = lateralColour
        self.vignetting = vignetting
    }

    /// The usual name, preceded by the maker's unless it begins with it.
    public var title: String {
        let (maker, name) = (makers.first ?? "", names.first ?? "")
        return name.lowercased().hasPrefix(maker.lowercased()) ? name : "\(maker) \(name)"
    }
}

/// Sensor of a measurement. Formulas use fractions of its size.
public struct CalibrationSensor: Hashable, Sendable {
    /// Diagonal of 24 × 36 mm, divided by the sensor's.
    public var cropFactor: Float
    /// Longer side divided by the shorter side.
    public var aspectRatio: Float
    /// Place of the optical axis, from the middle to the right and down, in halves of the shorter side.
    public var centre: SIMD2<Float>

    /// Creates a sensor from its properties.
    public init(cropFactor: Float, aspectRatio: Float = 1.5, centre: SIMD2<Float> = .zero) {
        self.cropFactor = cropFactor
        self.aspectRatio = aspectRatio
        self.centre = centre
    }
}

/// Distortion at one focal length. A point at a distance r from the axis in the undistorted picture is at r · factor in
/// the distorted one; 1 is half of the shorter side.
public struct DistortionPoint: Hashable, Sendable {
    /// Lensfun's formulas; the first three under their usual names.
    public enum Model: UInt8, Hashable, Sendable, CaseIterable {
        /// 1 − k₁ + k₁r², with one term.
        case poly3 = 1
        /// 1 + k₁r² + k₂r⁴.
        case poly5
        /// 1 − a − b − c + cr + br² + ar³, with the terms a, b, c.
        case ptlens
    }

    /// Formula of the terms.
    public var model: Model
    /// Millimetres.
    public var focalLength: Float
    /// Terms of the formula.
    public var terms: SIMD3<Float>

    /// Creates a point from its properties.
    public init(model: Model, focalLength: Float, terms: SIMD3<Float>) {
        self.model = model
        self.focalLength = focalLength
        self.terms = terms
    }
}

/// Lateral colour at one focal length: red and blue show at r · (v + cr + br²) what green shows at r.
public struct LateralColourPoint: Hashable, Sendable {
    /// Millimetres.
    public var focalLength: Float
    /// v, c and b of red.
    public var red: SIMD3<Float>
    /// v, c and b of blue.
    public var blue: SIMD3<Float>

    /// Creates a point from its properties.
    public init(focalLength: Float, red: SIMD3<Float>, blue: SIMD3<Float>) {
        self.focalLength = focalLength
        self.red = red
        self.blue = blue
    }
}

/// Remaining light at one focal length, aperture and distance: 1 + k₁r² + k₂r⁴ + k₃r⁶, where r is 1 in the corner of
/// the calibration sensor.
public struct VignettingPoint: Hashable, Sendable {
    /// Millimetres.
    public var focalLength: Float
    /// F-number.
    public var aperture: Float
    /// Metres.
    public var distance: Float
    /// k₁ to k₃.
    public var terms: SIMD3<Float>

    /// Creates a point from its properties.
    public init(focalLength: Float, aperture: Float, distance: Float, terms: SIMD3<Float>) {
        self.focalLength = focalLength
        self.aperture = aperture
        self.distance = distance
        self.terms = terms
    }
}

/// The properties of a camera that matter for lenses.
public struct CameraRecord: Hashable, Sendable {
    /// The maker's names, as in EXIF and in common use.
    public var makers: [String]
    /// The camera's names, likewise.
    public var models: [String]
    /// Distinguishes cameras with the same name; empty for most.
    public var variant: String
    /// Mount. A fixed-lens camera has a unique mount, which begins with a lower-case letter.
    public var mount: String
    /// Diagonal of 24 × 36 mm, divided by the sensor's.
    public var cropFactor: Float

    /// Creates a camera from its properties.
    public init(makers: [String], models: [String], variant: String = "", mount: String, cropFactor: Float) {
        self.makers = makers
        self.models = models
        self.variant = variant
        self.mount = mount
        self.cropFactor = cropFactor
    }

    /// Whether the lens cannot be changed.
    public var hasFixedLens: Bool { mount.utf8.first.map { (0x61...0x7A).contains($0) } ?? false }
}
