/// What a photo tells of its camera, its lens, and how both were set.
public struct LensShot: Hashable, Sendable {
    /// The camera's maker and name, as EXIF has them.
    public var make: String
    /// The camera's name.
    public var model: String
    /// The lens's name; empty where the camera recorded none.
    public var lens: String
    /// The shortest and the longest focal length, and the smallest f-number at each; zeros where not recorded.
    public var specification: SIMD4<Float>
    /// Millimetres; 0 where not recorded.
    public var focalLength: Float
    /// F-number; 0 where not recorded.
    public var aperture: Float
    /// To what was focused, in metres; 0 where not recorded.
    public var distance: Float

    /// The parameters are the properties of the same names.
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

    /// Camera and lens alone.
    var withoutSettings: LensShot { LensShot(make: make, model: model, lens: lens, specification: specification) }
}
