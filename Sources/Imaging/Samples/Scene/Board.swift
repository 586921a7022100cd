import PictureFormat
import Pixels

/// A painted board in the meadow: six by four patches over bars that become finer, down to the resolution of the
/// sensor.
struct Board: Sendable {
    private let left: Int
    private let top: Int
    private let patch: Int

    /// - Parameter left: in picture heights from the left edge.
    init(left: Float, size: PixelSize) {
        let height = Float(size.height)
        patch = max(2, Int(height * 0.036))
        top = Int(height * 0.66)
        self.left = min(Int(left * height), max(0, size.width - patch * 7))
    }

    private var width: Int { patch * 7 }
    private var height: Int { patch * 6 }

    func paint(_ y: Int, _ row: PaintedRow) {
        let down = y - top
        guard down >= 0, down < height else { return }
        for across in 0..<width where left + across < row.count {
            row.set(left + across, colour(across, down))
        }
    }

    private func colour(_ across: Int, _ down: Int) -> LinearColour {
        let border = patch / 2
        let x = across - border
        let y = down - border
        guard x >= 0, y >= 0, x < patch * 6, y < patch * 5 else { return Self.frame }
        if y < patch * 4 {
            let gap = max(1, patch / 12)
            let inside = x % patch >= gap && y % patch >= gap
            return inside ? Self.patches[y / patch * 6 + x / patch] : Self.frame
        }
        return bars(x, y - patch * 4)
    }

    /// Upright bars above, slanted ones below; the period shrinks from 12 pixels to 2.
    private func bars(_ x: Int, _ y: Int) -> LinearColour {
        let period = max(2, 12 - x * 11 / (patch * 6))
        let position = y < patch / 2 ? x : x + y / 2
        return position % period < period / 2 ? LinearColour(0.78, 0.78, 0.76) : LinearColour(0.03, 0.03, 0.03)
    }

    private static let frame = LinearColour(0.045, 0.042, 0.040)

    /// Custom colours: skin, foliage, primaries, and a row of greys.
    private static let patches: [LinearColour] = [
        LinearColour(0.16, 0.08, 0.05), LinearColour(0.56, 0.32, 0.23), LinearColour(0.10, 0.19, 0.34),
        LinearColour(0.09, 0.15, 0.05), LinearColour(0.23, 0.21, 0.44), LinearColour(0.13, 0.52, 0.41),
        LinearColour(0.70, 0.21, 0.02), LinearColour(0.06, 0.10, 0.38), LinearColour(0.54, 0.08, 0.12),
        LinearColour(0.10, 0.04, 0.14), LinearColour(0.35, 0.50, 0.05), LinearColour(0.74, 0.36, 0.02),
        LinearColour(0.02, 0.04, 0.30), LinearColour(0.06, 0.29, 0.06), LinearColour(0.43, 0.02, 0.04),
        LinearColour(0.80, 0.57, 0.01), LinearColour(0.50, 0.08, 0.30), LinearColour(0.01, 0.23, 0.37),
        LinearColour(0.88, 0.88, 0.86), LinearColour(0.58, 0.58, 0.58), LinearColour(0.36, 0.36, 0.36),
        LinearColour(0.19, 0.19, 0.19), LinearColour(0.09, 0.09, 0.09), LinearColour(0.03, 0.03, 0.03),
    ]
}
