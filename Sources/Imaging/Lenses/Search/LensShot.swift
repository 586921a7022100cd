/// Camera, lens and settings of a photo.
public struct LensShot: Hashable, Sendable {
    /// The camera's maker, as in EXIF.
    public var make: String
    /// The camera's name.
    public var model: String
    /// The lens's name; empty if not recorded.
    public var lens: String
    /// The shortest and the longest focal length, and the minimum f-number at each; zeros if not recorded.
    public var specification: SIMD4<Float>
    /// Millimetres; 0 if not recorded.
    public var focalLength: Float
    /// F-number; 0 if not recorded.
    public var aperture: Float
    /// Focus distance in metres; 0 if not recorded.
    public var distance: Float

    /// Creates a shot from its properties.
    public init(
        make: String, model: String, lens: String = "", specification: SIMD4<Float> = .zero, focalLength: Float = 0,
        aperture: Float = 0, distance: Float = 0
    ) {
        self.make = make
        self.model = model
        self.lens = lens
        self.specification = specification
        self.focalLength = focalLength
        self.aperture = aperture
        self.distance = distance
    }

    var withoutSettings: LensShot { LensShot(make: make, model: model, lens: lens, specification: specification) }
}
