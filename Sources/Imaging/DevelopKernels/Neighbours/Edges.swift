import Pixels

/// Length of the gradient around each pixel, times a factor (I. Sobel and G. Feldman, 1968, "A 3×3 isotropic gradient
/// operator for image processing"). A sharp edge from 0 to 1 has length 1.
package struct Edges: Sendable {
    /// A quarter of the factor: a sharp edge has a sum of 4.
    private let scale: Float

    package init(intensity: Float) { scale = intensity / 4 }

    /// Finds edges, 0…1, in one channel of a row. `above`, `own` and `below` are one value longer at both ends.
    func apply(
        into result: UnsafeMutablePointer<Float>, count: Int, above: UnsafePointer<Float>, own: UnsafePointer<Float>,
        below: UnsafePointer<Float>
    ) {
        let scale = scale
        for x in 0..<count {
            let across =
                (above[x + 1] - above[x - 1]) + 2 * (own[x + 1] - own[x - 1]) + (below[x + 1] - below[x - 1])
            let down =
                (below[x - 1] - above[x - 1]) + 2 * (below[x] - above[x]) + (below[x + 1] - above[x + 1])
            let length = (across * across + down * down).squareRoot() * scale
            result[x] = length < 1 ? length : 1
        }
    }
}
