public import Pixels

/// An imaginary camera: how its sensor sees colour, how much light it holds, how it is noisy.
public struct SampleCamera: Sendable {
    public var make = "Rawmill"
    public var model = "Sample"
    /// CIE XYZ to camera under standard light A and under D65 (EXIF LightSource 17 and 21).
    public var matrixA = Matrix3([0.948, -0.331, -0.057, -0.411, 1.216, 0.219, -0.062, 0.163, 0.612])
    public var matrixD65 = Matrix3([0.869, -0.269, -0.079, -0.431, 1.225, 0.230, -0.084, 0.178, 0.679])
    /// Sensor counts: black a place of the 2 × 2 pattern (row by row), and saturation.
    public var black: [UInt16] = [512, 512, 512, 512]
    public var white: UInt16 = 16383
    /// Electrons at saturation, and of read noise; no noise at all where `fullWell` is 0.
    public var fullWell: Float = 12_000
    public var readNoise: Float = 3
    /// Of full scale, what a white card gives in green.
    public var exposure: Float = 0.72

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

    /// What the sensor gives for white, green 1 (DNG's AsShotNeutral).
    public var neutral: [Float] {
        let sums = whiteResponse
        return sums.map { $0 / sums[1] }
    }

    /// What each filter lets through of white.
    var whiteResponse: [Float] {
        let matrix = cameraFromRGB
        return [0, 3, 6].map { row -> Float in matrix[row] + matrix[row + 1] + matrix[row + 2] }
    }
}
