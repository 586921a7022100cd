import PictureFormat
import Pixels

/// Shade that grows from the middle of the picture towards its corners.
///
/// Core Image's formula is not published. This one has its parameters, ranges and defaults: values are multiplied by
/// 1 - intensity · s, where s rises smoothly (3 t² - 2 t³) with t, the square of the distance from the middle as a share of radius
/// times the corner's. So the length has no unit: a preview has the same shade as the full size.
struct Vignette: LookEffect {
    let intensity: Float
    let radius: Float
    /// Nil where no picture is: then nothing is shaded.
    private var picture: PixelSize?

    let position = StagePosition.display
    let displaySpace: ColourSpace? = .sRGB
    let isOfColourAlone = false

    init(intensity: Double, radius: Double) {
        self.intensity = Float(intensity)
        self.radius = Float(radius)
    }

    func located(in picture: PixelSize) -> any LookEffect {
        var located = self
        located.picture = picture
        return located
    }

    /// What values are multiplied by.
    ///
    /// - Parameter square: of the distance from the middle, 1 in the corner.
    func factor(_ square: Float) -> Float {
        let reach = max(radius * radius, 1e-6)
        let t = square < reach ? square / reach : 1
        return 1 - intensity * (t * t * (3 - 2 * t))
    }

    func process(_ row: PixelRow) {
        guard let picture else { return }
        let (middleX, middleY) = (Float(picture.width) / 2, Float(picture.height) / 2)
        let scale = 1 / (middleX * middleX + middleY * middleY)
        let dy = Float(row.y) + 0.5 - middleY
        for index in 0..<row.count {
            let dx = Float(row.column(index)) + 0.5 - middleX
            let factor = factor((dx * dx + dy * dy) * scale)
            unsafe row.red[index] *= factor
            unsafe row.green[index] *= factor
            unsafe row.blue[index] *= factor
        }
    }
}
