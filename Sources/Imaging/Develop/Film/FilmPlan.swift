import ColourScience
import DevelopKernels
import PictureFormat
import Pixels

/// A film's effect on the light of one picture.
///
/// The picture's longer edge is the film's, so a pixel has a pitch in µm. Grain and halation apply to the full-size
/// picture before it is reduced: a print of half the size has half the grain, and the preview shows it like the print.
struct FilmPlan {
    /// Nil without effects.
    let rows: FilmRows?

    /// `SensorValidation` has checked the image. `light` converts its samples to light.
    init(
        _ texture: FilmTexture, _ image: borrowing SensorImage, light: HalationSource, templates: GrainTemplateCache,
        threads: Int
    ) {
        let pitch = texture.longEdgeMicrometres / Double(max(light.size.width, light.size.height))
        let grain = texture.grain.flatMap { grain in
            GrainRows(
                grain, template: templates.template(deviation: grain.sizeMicrometres / pitch),
                pitchMicrometres: pitch, seed: PictureSeed(image).value)
        }
        let halation = texture.halation.flatMap { halation -> HalationRows? in
            guard halation.shares.max() > 0, light.white > 0 else { return nil }
            let lamps = LampLight(white: Float(light.white), gain: Float(halation.lampGain))
            let map = light.map(image, spread: halation.spreadMicrometres / pitch, lamps: lamps, threads: threads)
            return map.map { HalationRows(map: $0, shares: SIMD3<Float>(halation.shares), lamps: lamps) }
        }
        rows = grain == nil && halation == nil ? nil : FilmRows(halation: halation, grain: grain)
    }
}
