import Pixels

extension Matrix3 {
    /// Finite and clearly invertible.
    var isUsable: Bool {
        guard elements.allSatisfy(\.isFinite), let largest = elements.map({ abs($0) }).max(), largest > 0 else {
            return false
        }
        return abs(determinant) > 1e-6 * largest * largest * largest
    }

    private var determinant: Float {
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

extension CameraMatrix {
    /// CIE XYZ to linear sRGB (IEC 61966-2-1), for sRGB pictures.
    static let linearSRGB = CameraMatrix(
        illuminant: 21,
        xyzToCamera: Matrix3([
            3.2404542, -1.5371385, -0.4985314, -0.9692660, 1.8760108, 0.0415560, 0.0556434, -0.2040259, 1.0572252,
        ]))
}
