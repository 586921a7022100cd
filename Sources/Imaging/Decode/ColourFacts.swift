import CLibRaw
import PictureFormat
import Pixels

extension CLibRawFacts {
    /// As-shot multipliers with green 1; nil where the file has none or they cannot be meant.
    var whiteBalance: [Float]? {
        if whiteBalanceApplied != 0 { return [1, 1, 1] }
        let (red, green, blue, second) = cameraMultipliers
        guard red > 0.001, green > 0.001, blue > 0.001 else { return nil }
        let meanGreen = second > 0.001 ? (green + second) / 2 : green
        let normalised = [red / meanGreen, 1, blue / meanGreen]
        return normalised.allSatisfy({ $0.isFinite && (0.02...50).contains($0) }) ? normalised : nil
    }

    /// LibRaw's own table, by the camera's name: measured under D65 (Adobe's second colour matrix).
    var tableMatrix: CameraMatrix? {
        let elements = withUnsafeBytes(of: xyzToCamera) { Array($0.bindMemory(to: Float.self).prefix(9)) }
        let matrix = Matrix3(elements)
        return matrix.isUsable ? CameraMatrix(illuminant: 21, xyzToCamera: matrix) : nil
    }

    /// EXIF's orientation from LibRaw's flip: bit 0 mirrors the columns, bit 1 the rows, bit 2 swaps the axes.
    var orientation: Orientation {
        switch flip & 7 {
        case 1: .mirroredHorizontally
        case 2: .mirroredVertically
        case 3: .rotated180
        case 4: .transposed
        case 5: .rotated90CounterClockwise
        case 6: .rotated90Clockwise
        case 7: .transversed
        default: .upright
        }
    }
}

extension Matrix3 {
    /// Finite, and far enough from singular to be turned round.
    var isUsable: Bool {
        guard elements.allSatisfy(\.isFinite), let largest = elements.map({ abs($0) }).max(), largest > 0 else {
            return false
        }
        return abs(determinant) > 1e-6 * largest * largest * largest
    }

    var determinant: Float {
        let m = elements
        return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6])
            + m[2] * (m[3] * m[7] - m[4] * m[6])
    }

    static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        var product = [Float](repeating: 0, count: 9)
        for row in 0..<3 {
            for column in 0..<3 {
                for inner in 0..<3 {
                    product[row * 3 + column] += left.elements[row * 3 + inner] * right.elements[inner * 3 + column]
                }
            }
        }
        return Matrix3(product)
    }

    static func diagonal(_ values: [Float]) -> Matrix3 {
        Matrix3([values[0], 0, 0, 0, values[1], 0, 0, 0, values[2]])
    }
}
