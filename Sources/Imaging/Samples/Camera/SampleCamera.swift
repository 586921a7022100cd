public import Pixels

/// A synthetic camera: colour response, full well and noise of its sensor.
public struct SampleCamera: Sendable {
    /// The maker's name.
    public var make = "Rawmill"
    /// The model's name.
    public var model = "Sample"
    /// CIE XYZ to camera colour under standard light A (EXIF LightSource 17).
    public var matrixA = Matrix3([0.948, -0.331, -0.057, -0.411, 1.216, 0.219, -0.062, 0.163, 0.612])
    /// CIE XYZ to camera colour under D65 (EXIF LightSource 21).
    public var matrixD65 = Matrix3([0.869, -0.269, -0.079, -0.431, 1.225, 0.230, -0.084, 0.178, 0.679])
    /// Black level at each position of the 2 × 2 pattern, row by row, in sensor counts.
    public var black: [UInt16] = [512, 512, 512, 512]
    /// Sensor counts at saturation.
    public var white: UInt16 = 16383
    /// Electrons at saturation; 0 for a noiseless sensor.
    public var fullWell: Float = 12_000
    /// Standard deviation of the read noise, in electrons.
    public var readNoise: Float = 3
    /// The green of a white card, as a fraction of saturation.
    public var exposure: Float = 0.72

    /// The default camera.
    public init() {}

    /// Linear sRGB primaries to CIE XYZ (IEC 61966-2-1).
    private static let xyzFromRGB: [Float] = [
        0.4124564, 0.3575761, 0.1804375, 0.2126729, 0.7151522, 0.0721750, 0.0193339, 0.1191920, 0.9503041,
    ]

    /// Linear sRGB to camera colour, row-major.
    var cameraFromRGB: [Float] {
        var product = [Float](repeating: 0, count: 9)
        for row in 0..<3 {
            for column in 0..<3 {
                for inner in 0..<3 {
                    let term: Float = matrixD65.elements[row * 3 + inner] * Self.xyzFromRGB[inner * 3 + column]
                    product[row * 3 + column] += term
                }
            }
        }
        return product
    }

    /// The camera colour of white, with green 1 (DNG's AsShotNeutral).
    public var neutral: [Float] {
        let sums = whiteResponse
        return sums.map { $0 / sums[1] }
    }

    /// The camera colour of white according to the matrix.
    var whiteResponse: [Float] {
        let matrix = cameraFromRGB
        return [0, 3, 6].map { row -> Float in matrix[row] + matrix[row + 1] + matrix[row + 2] }
    }
}
