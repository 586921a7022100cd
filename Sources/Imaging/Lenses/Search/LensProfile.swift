/// Corrections of a lens at one setting: a formula for each fault, with its calibration sensor.
public struct LensProfile: Hashable, Sendable {
    /// A formula, and the sensor that defines its distances.
    public struct Measured<Point: Hashable & Sendable>: Hashable, Sendable {
        /// Interpolated between measurements.
        public let point: Point
        /// Sensor of the measurement.
        public let sensor: CalibrationSensor
    }

    /// The lens's name.
    public let name: String
    /// Diagonal of 24 × 36 mm, divided by the camera sensor's.
    public let cropFactor: Float
    /// Nil if not measured.
    public let distortion: Measured<DistortionPoint>?
    /// Nil if not measured.
    public let lateralColour: Measured<LateralColourPoint>?
    /// Nil if not measured, or not near the aperture.
    public let vignetting: Measured<VignettingPoint>?

    /// Whether there are no corrections.
    public var isEmpty: Bool { distortion == nil && lateralColour == nil && vignetting == nil }

    /// - Parameter records: of one lens, measured with sensors of different sizes. For each fault, the record with the
    ///   sensor most similar to the camera's counts.
    init(_ shot: LensShot, _ camera: CameraRecord, _ records: [LensRecord]) {
        let nearest = records.sorted {
            let (a, b) = ($0.sensor.cropFactor / camera.cropFactor, $1.sensor.cropFactor / camera.cropFactor)
            return (a - 1).magnitude < (b - 1).magnitude
        }
        func first<Point>(_ point: (LensRecord) -> Point?) -> Measured<Point>? {
            for lens in nearest {
                if let point = point(lens) { return Measured(point: point, sensor: lens.sensor) }
            }
            return nil
        }
        name = nearest.first?.title ?? ""
        cropFactor = camera.cropFactor
        distortion = first { LensInterpolation.distortion($0.distortion, shot.focalLength) }
        lateralColour = first { LensInterpolation.lateralColour($0.lateralColour, shot.focalLength) }
        vignetting = first { LensInterpolation.vignetting($0, shot) }
    }
}
