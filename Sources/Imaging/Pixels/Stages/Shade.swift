public import PictureFormat

/// Shade that grows from the middle of a picture towards its corners. It multiplies display-encoded values by 1 -
/// intensity · s, where s rises smoothly (3 t² - 2 t³) with t, the square of the distance from the middle relative to
/// radius times the corner's distance. Lengths are relative, so that a preview has the same shade as the full size.
public struct Shade: Hashable, Sendable {
    /// Intensity in the corner for radius 1; negative values lighten. -1…1.
    public private(set) var intensity: Float
    private let radius: Float
    /// Size of the picture; nil disables the shade.
    private var picture: PixelSize?

    /// - Parameters:
    ///   - intensity: -1…1.
    ///   - radius: 0…2.
    public init(intensity: Float, radius: Float) {
        self.intensity = intensity
        self.radius = radius
    }

    /// The shade for pictures of one size.
    public func located(in picture: PixelSize) -> Shade {
        var located = self
        located.picture = picture
        return located
    }

    /// A weaker shade.
    ///
    /// - Parameter share: 0…1.
    public func scaled(by share: Float) -> Shade {
        var scaled = self
        scaled.intensity *= share
        return scaled
    }

    /// Writes the factors of pixels.
    ///
    /// - Parameters:
    ///   - factors: receives `count` numbers, 0…2.
    ///   - x: the first column; a half lies between two pixels.
    ///   - y: the row; likewise.
    ///   - step: distance of pixels in columns.
    public func write(_ factors: UnsafeMutablePointer<Float>, count: Int, x: Float, y: Float, step: Float) {
        guard let picture else {
            for index in 0..<count { unsafe factors[index] = 1 }
            return
        }
        let (middleX, middleY) = (Float(picture.width) / 2, Float(picture.height) / 2)
        let reach = max(radius * radius, 1e-6)
        let scale = 1 / (middleX * middleX + middleY * middleY) / reach
        let dy = y + 0.5 - middleY
        let (square, first) = (dy * dy, x + 0.5 - middleX)
        for index in 0..<count {
            let dx = first + Float(Int32(truncatingIfNeeded: index)) * step
            let share = (dx * dx + square) * scale
            let t = share < 1 ? share : 1
            unsafe factors[index] = 1 - intensity * (t * t * (3 - 2 * t))
        }
    }

    /// Shades a row.
    public func process(_ row: PixelRow) {
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: row.count) { factors in
            guard let factors = factors.baseAddress else { return }
            unsafe write(factors, count: row.count, x: Float(row.x), y: Float(row.y), step: Float(row.step))
            for index in 0..<row.count {
                unsafe row.red[index] *= factors[index]
                unsafe row.green[index] *= factors[index]
                unsafe row.blue[index] *= factors[index]
            }
        }
    }
}
