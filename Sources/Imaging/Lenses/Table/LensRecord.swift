/// A lens and what was measured of it, for sensors of one size.
public struct LensRecord: Hashable, Sendable {
    /// The maker's names, in several spellings or languages; the first one is the usual one.
    public var makers: [String]
    /// The lens's names likewise.
    public var names: [String]
    /// The mounts that it fits: names that cameras have, too.
    public var mounts: [String]
    /// The shortest and the longest focal length in millimetres; 0 where not known.
    public var focalLengths: SIMD2<Float>
    /// The smallest f-number; 0 where not known.
    public var minAperture: Float
    /// Of the sensor that it was measured with.
    public var sensor: CalibrationSensor
    /// By focal length, ascending.
    public var distortion: [DistortionPoint]
    /// By focal length, ascending.
    public var lateralColour: [LateralColourPoint]
    /// In no order.
    public var vignetting: [VignettingPoint]

    /// The parameters are the properties of the same names.
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

    /// The usual name, with the maker's where it does not begin with that.
    public var title: String {
        let (maker, name) = (makers.first ?? "", names.first ?? "")
        return name.lowercased().hasPrefix(maker.lowercased()) ? name : "\(maker) \(name)"
    }
}

/// The sensor that a lens was measured with. Its formulas count distances in parts of it.
public struct CalibrationSensor: Hashable, Sendable {
    /// The diagonal of 24 × 36 mm, over the sensor's.
    public var cropFactor: Float
    /// The longer side over the shorter one.
    public var aspectRatio: Float
    /// Where the optical axis meets it, from its middle to the right and down, in halves of the shorter side.
    public var centre: SIMD2<Float>

    /// The parameters are the properties of the same names.
    public init(cropFactor: Float, aspectRatio: Float = 1.5, centre: SIMD2<Float> = .zero) {
        self.cropFactor = cropFactor
        self.aspectRatio = aspectRatio
        self.centre = centre
    }
}

/// How a lens distorts at one focal length: with r a distance from the axis in the undistorted picture, and 1 half of the
/// shorter side, the distorted picture has the place at a distance of r · factor.
public struct DistortionPoint: Hashable, Sendable {
    /// The formulas that Lensfun has, of the first three by their usual names.
    public enum Model: UInt8, Hashable, Sendable, CaseIterable {
        /// 1 − k₁ + k₁r², with one term.
        case poly3 = 1
        /// 1 + k₁r² + k₂r⁴.
        case poly5
        /// 1 − a − b − c + cr + br² + ar³, with the terms a, b, c.
        case ptlens
    }

    /// Which formula the terms are of.
    public var model: Model
    /// Millimetres.
    public var focalLength: Float
    /// As the formula has them.
    public var terms: SIMD3<Float>

    /// The parameters are the properties of the same names.
    public init(model: Model, focalLength: Float, terms: SIMD3<Float>) {
        self.model = model
        self.focalLength = focalLength
        self.terms = terms
    }
}

/// How red and blue are larger or smaller than green at one focal length: they have the place at r · (v + cr + br²) that
/// green has at r.
public struct LateralColourPoint: Hashable, Sendable {
    /// Millimetres.
    public var focalLength: Float
    /// v, c and b of red.
    public var red: SIMD3<Float>
    /// v, c and b of blue.
    public var blue: SIMD3<Float>

    /// The parameters are the properties of the same names.
    public init(focalLength: Float, red: SIMD3<Float>, blue: SIMD3<Float>) {
        self.focalLength = focalLength
        self.red = red
        self.blue = blue
    }
}

/// How much light is left at one focal length, aperture and distance: 1 + k₁r² + k₂r⁴ + k₃r⁶, where r is 1 in the corner of the
/// calibration sensor.
public struct VignettingPoint: Hashable, Sendable {
    /// Millimetres.
    public var focalLength: Float
    /// F-number.
    public var aperture: Float
    /// Metres.
    public var distance: Float
    /// k₁ to k₃.
    public var terms: SIMD3<Float>

    /// The parameters are the properties of the same names.
    public init(focalLength: Float, aperture: Float, distance: Float, terms: SIMD3<Float>) {
        self.focalLength = focalLength
        self.aperture = aperture
        self.distance = distance
        self.terms = terms
    }
}

/// A camera, as far as lenses need to know it.
public struct CameraRecord: Hashable, Sendable {
    /// The maker's names as EXIF and people have them.
    public var makers: [String]
    /// The camera's names likewise.
    public var models: [String]
    /// Tells apart cameras of one name; empty for most.
    public var variant: String
    /// What lenses must fit. A camera whose lens cannot be changed has a mount of its own, which begins with a small letter.
    public var mount: String
    /// The diagonal of 24 × 36 mm, over the sensor's.
    public var cropFactor: Float

    /// The parameters are the properties of the same names.
    public init(makers: [String], models: [String], variant: String = "", mount: String, cropFactor: Float) {
        self.makers = makers
        self.models = models
        self.variant = variant
        self.mount = mount
        self.cropFactor = cropFactor
    }

    /// Whether its lens cannot be changed.
    public var hasFixedLens: Bool { mount.utf8.first.map { (0x61...0x7A).contains($0) } ?? false }
}
