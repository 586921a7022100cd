import PictureFormat
import Pixels

/// Core Image's vignette, whose formula is not published: a shade with its parameters, ranges and defaults.
struct Vignette: LookEffect {
    private(set) var shade: Shade?

    let position = StagePosition.display
    let displaySpace: ColourSpace? = .sRGB
    let isOfColourAlone = false

    init(intensity: Double, radius: Double) { shade = Shade(intensity: Float(intensity), radius: Float(radius)) }

    func located(in picture: PixelSize) -> any LookEffect {
        var located = self
        located.shade = shade?.located(in: picture)
        return located
    }

    func process(_ row: PixelRow) { shade?.process(row) }
}
