import CLibRaw
import PictureFormat
import Pixels

extension Frame {
    /// Sensors we do not develop ourselves, through LibRaw's interpolation to three linear colours.
    ///
    /// LibRaw interpolates best on balanced colours, so it is given the multipliers; nothing clips that had not clipped
    /// in the sensor, and `white` says where each colour now does.
    consuming func interpolatedImage(toSRGB: Bool) throws(DecodeError) -> SensorImage {
        let balance = dng?.whiteBalance ?? raw.facts.whiteBalance
        let multipliers = interpolationMultipliers(balance, toSRGB: toSRGB)
        let status = raw.interpolate(multipliers: multipliers, toSRGB: toSRGB)
        guard status == .success else { throw unpackFailure(status) }
        guard raw.facts.dataErrors <= 0 else { throw .corrupt("The samples in the file are damaged.") }
        guard let (samples, size) = raw.interpolated else {
            throw .unsupported("The sensor is of a kind that is not understood.")
        }
        let facts = raw.facts
        let largest = multipliers.max() ?? 1
        let white = toSRGB ? [65535, 65535, 65535] : multipliers.prefix(3).map { 65535 * $0 / largest }
        var interpolated = SensorFacts(
            layout: .linearRGB, crop: narrowed(PixelRect(x: 0, y: 0, size: size)), black: .zero, white: white,
            whiteBalance: toSRGB ? [1, 1, 1] : balance, matrices: toSRGB ? [.linearSRGB] : matrices,
            orientation: dng?.orientation ?? facts.orientation, pixelAspect: 1,
            baselineExposure: dng?.baselineExposure ?? 0, isoSpeed: facts.sensitivity)
        let plane = threeOfFour(samples, size)
        interpolated.estimateMissingWhiteBalance(from: plane)
        return SensorImage(plane: plane, facts: interpolated)
    }

    /// Four multipliers: for four colours the camera's own, for three the green one twice.
    private func interpolationMultipliers(_ balance: [Float]?, toSRGB: Bool) -> [Float] {
        let (first, second, third, fourth) = raw.facts.cameraMultipliers
        let camera = [first, second, third, fourth]
        if toSRGB, camera.allSatisfy({ $0.isFinite && $0 > 0.001 }) { return camera }
        guard !toSRGB, let balance else { return [1, 1, 1, 1] }
        return [balance[0], balance[1], balance[2], balance[1]]
    }
}

private func threeOfFour(_ samples: UnsafePointer<UInt16>, _ size: PixelSize) -> Plane<UInt16> {
    let plane = Plane<UInt16>(width: size.width * 3, height: size.height)
    for y in 0..<size.height {
        let source = samples + y * size.width * 4
        let row = plane.row(y)
        for x in 0..<size.width {
            row[3 * x] = source[4 * x]
            row[3 * x + 1] = source[4 * x + 1]
            row[3 * x + 2] = source[4 * x + 2]
        }
    }
    return plane
}

extension CameraMatrix {
    /// CIE XYZ to linear sRGB, for pictures that are already in it (IEC 61966-2-1).
    static let linearSRGB = CameraMatrix(
        illuminant: 21,
        xyzToCamera: Matrix3([
            3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434, -0.2040259, 1.0572252,
        ]))
}
