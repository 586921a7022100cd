/// A 3 × 3 matrix in double precision, for colour algebra before developing.
public struct Matrix3x3: Hashable, Sendable {
    /// Nine elements, row by row.
    public private(set) var elements: [Double]

    /// - Parameter elements: nine values, row by row.
    public init(_ elements: [Double]) {
        precondition(elements.count == 9, "a 3 × 3 matrix has nine elements")
        self.elements = elements
    }

    /// - Parameter elements: nine values in single precision, row by row.
    public init(_ elements: [Float]) { self.init(elements.map(Double.init)) }

    /// - Parameter v: the three elements of the diagonal.
    public static func diagonal(_ v: [Double]) -> Matrix3x3 { Matrix3x3([v[0], 0, 0, 0, v[1], 0, 0, 0, v[2]]) }

    /// The identity matrix.
    public static let identity = Matrix3x3([1.0, 0, 0, 0, 1, 0, 0, 0, 1])

    /// The matrix product; `b` is applied first.
    public static func * (a: Matrix3x3, b: Matrix3x3) -> Matrix3x3 {
        let (p, q) = (a.elements, b.elements)
        return Matrix3x3(
            (0..<9).map { i -> Double in
                let row = i / 3 * 3
                let column = i % 3
                return p[row] * q[column] + p[row + 1] * q[column + 3] + p[row + 2] * q[column + 6]
            })
    }

    /// The product with a column vector of three elements.
    public static func * (a: Matrix3x3, v: [Double]) -> [Double] {
        let m = a.elements
        return (0..<3).map { m[3 * $0] * v[0] + m[3 * $0 + 1] * v[1] + m[3 * $0 + 2] * v[2] }
    }

    /// The product of every element with a number.
    public static func * (a: Matrix3x3, factor: Double) -> Matrix3x3 { Matrix3x3(a.elements.map { $0 * factor }) }

    /// The inverse; nil if the matrix is singular, nearly so, or not finite.
    public var inverse: Matrix3x3? {
        let m = elements
        let c = [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
        let determinant = m[0] * c[0] + m[1] * c[3] + m[2] * c[6]
        let size = m.map(\.magnitude).max() ?? 0
        guard determinant.isFinite, determinant.magnitude > 1e-9 * size * size * size else { return nil }
        let inverse = c.map { $0 / determinant }
        return inverse.allSatisfy(\.isFinite) ? Matrix3x3(inverse) : nil
    }
}
