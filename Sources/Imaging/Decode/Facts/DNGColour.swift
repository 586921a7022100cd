import TIFF
import Pixels

extension DNGFacts {
    var profile: CameraProfileFields { CameraProfileFields(directories: [raw, main]) }

    /// The camera's matrices, one per calibration light.
    var matrices: [CameraMatrix] {
        matrices(profile.lights, signature: main.text(.profileCalibrationSignature) ?? [])
    }

    /// The camera's matrices according to a profile. The individual camera's calibration counts only if it has the
    /// profile's signature.
    func matrices(_ lights: [CameraProfileFields.Light], signature: [UInt8]) -> [CameraMatrix] {
        let isCalibrationValid = (main.text(.cameraCalibrationSignature) ?? []) == signature
        return lights.compactMap { light in
            let calibrated = isCalibrationValid ? matrix3(light.calibration) ?? .identity : .identity
            return light.matrix(calibration: .diagonal(analogBalance) * calibrated)
        }
    }

    private var analogBalance: [Float] {
        guard let gains = reals(.analogBalance), gains.count == 3,
            gains.allSatisfy({ $0.isFinite && $0 > 0.01 && $0 < 100 })
        else { return [1, 1, 1] }
        return gains.map { Float($0) }
    }

    private func matrix3(_ tag: TIFFTag) -> Matrix3? {
        guard let values = reals(tag), values.count == 9, values.allSatisfy(\.isFinite) else { return nil }
        return Matrix3(values.map { Float($0) })
    }

    /// As-shot multipliers with green 1, from the neutral colour or the light's chromaticity.
    var whiteBalance: [Float]? {
        if let neutral = reals(.asShotNeutral), neutral.count == 3 { return multipliers(neutral.map { Float($0) }) }
        guard let xy = reals(.asShotWhiteXY), xy.count == 2, xy[1] > 0.01, let matrix = matrices.prefix(2).last else {
            return nil
        }
        let xyz = [Float(xy[0] / xy[1]), 1, Float((1 - xy[0] - xy[1]) / xy[1])]
        let elements = matrix.xyzToCamera.elements
        return multipliers(
            [0, 3, 6].map { row -> Float in
                elements[row] * xyz[0] + elements[row + 1] * xyz[1] + elements[row + 2] * xyz[2]
            })
    }

    private func multipliers(_ neutral: [Float]) -> [Float]? {
        guard neutral.allSatisfy({ $0.isFinite && $0 > 0.001 }) else { return nil }
        let gains = neutral.map { neutral[1] / $0 }
        return gains.allSatisfy({ (0.02...50).contains($0) }) ? gains : nil
    }
}
