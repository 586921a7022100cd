/// What is known of a lens as it was set: of each fault the formula, and the sensor that it was measured with.
public struct LensProfile: Hashable, Sendable {
    /// A formula, and the sensor by which it counts distances.
    public struct Measured<Point: Hashable & Sendable>: Hashable, Sendable {
        /// Interpolated between what was measured.
        public let point: Point
        /// Of the measurement.
        public let sensor: CalibrationSensor
    }

    /// The lens's name.
    public let name: String
    /// The diagonal of 24 × 36 mm, over the camera's sensor's.
    public let cropFactor: Float
    /// Nil where nothing was measured.
    public let distortion: Measured<DistortionPoint>?
    /// Nil where nothing was measured.
    public let lateralColour: Measured<LateralColourPoint>?
    /// Nil where nothing was measured, or not near the aperture.
    public let vignetting: Measured<VignettingPoint>?

    /// Whether nothing is known.
    public var isEmpty: Bool { distortion == nil && lateralColour == nil && vignetting == nil }

    /// - Parameter records: of one lens, measured with sensors of different sizes. Of each fault that record counts which has
    ///   it and whose sensor is most like the camera's.
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
