import ColourScience
import DecodeKernels
import Pixels

extension SensorFacts {
    /// Estimates the white balance if the camera recorded none; some only write "automatic".
    ///
    /// Assumes that the picture's mean is grey (Buchsbaum, 1980, "A spatial processor model for object colour
    /// perception") and searches the Planckian light that explains it best. The result is half-way, in mired, between
    /// that light and daylight: grey worlds are rare, and cameras keep evening light warm.
    mutating func estimateMissingWhiteBalance(from plane: borrowing Plane<UInt16>) {
        guard whiteBalance == nil, let matrix = matrices.last, let means = meanLight(of: plane) else { return }
        let grey = means.map { means[1] / $0 }
        let candidates = stride(from: Float(100), through: 420, by: 2)
        let nearest = candidates.min { distance($0, grey, matrix) < distance($1, grey, matrix) }
        guard let nearest, let gains = matrix.gains(mired: (nearest + daylightMired) / 2) else { return }
        whiteBalance = gains
        whiteBalanceIsEstimated = true
    }

    /// 5500 K.
    private var daylightMired: Float { 182 }

    /// Distance between a light's gains and the expected gains, symmetric in ratios.
    private func distance(_ mired: Float, _ expected: [Float], _ matrix: CameraMatrix) -> Float {
        guard let gains = matrix.gains(mired: mired) else { return .infinity }
        let red = gains[0] / expected[0]
        let blue = gains[2] / expected[2]
        return red + 1 / red + blue + 1 / blue
    }

    /// Mean red, green and blue over blocks without clipping and above the noise.
    private func meanLight(of plane: borrowing Plane<UInt16>) -> [Float]? {
        guard layout != .monochrome, let meter = LightMeter(plane, self) else { return nil }
        let limit = UInt16(min(max((white.min() ?? 0) * 0.97, 1), 65_535))
        let means = meter.means(below: limit)
        return means.allSatisfy({ $0 > 0.000_1 }) ? means : nil
    }
}

extension CameraMatrix {
    /// Multipliers that make a black body's light neutral; nil if a colour would record nothing. The light is in mired
    /// (1,000,000 / kelvin).
    func gains(mired: Float) -> [Float]? {
        let (x, y) = PlanckianLocus.chromaticity(reciprocalKilokelvin: mired / 1000)
        let xyz = [x / y, 1, (1 - x - y) / y]
        let elements = xyzToCamera.elements
        let seen = [0, 3, 6].map { row -> Float in
            elements[row] * xyz[0] + elements[row + 1] * xyz[1] + elements[row + 2] * xyz[2]
        }
        guard seen.allSatisfy({ $0.isFinite && $0 > 0.001 }) else { return nil }
        return seen.map { seen[1] / $0 }
    }
}
