import ColourScience
import PictureFormat
import Pixels

/// Black and white through a coloured filter in front of panchromatic film, with compensated exposure: greys stay
/// unchanged, the filter's own colour becomes lighter and the opposite colour darker.
///
/// The weights are fractions of linear sRGB light, estimated from the transmission of gelatin filters of that colour
/// (Kodak, 1990, "Photographic Filters Handbook": Wratten No. 8, 21, 25 and 11) and the film's sensitivity.
struct FilteredMonochrome: LookEffect {
    /// Weights of red, green and blue light. Their sum is 1.
    let weights: SIMD3<Double>

    let position = StagePosition.display
    let displaySpace: ColourSpace? = .sRGB

    /// Skies a little darker, close to visual brightness.
    static let yellow = FilteredMonochrome(weights: SIMD3(0.43, 0.49, 0.08))
    /// Clouds stand out; skin becomes smooth.
    static let orange = FilteredMonochrome(weights: SIMD3(0.70, 0.30, 0))
    /// The darkest skies.
    static let red = FilteredMonochrome(weights: SIMD3(0.94, 0.06, 0))
    /// Leaves lighter, lips and sunburn darker.
    static let green = FilteredMonochrome(weights: SIMD3(0.20, 0.70, 0.10))

    var definition: String { "monochrome sRGB light \(weights.x) \(weights.y) \(weights.z)" }

    func process(_ row: PixelRow) {
        func light(_ value: Float) -> Double {
            TransferFunction.decode(value > 0 ? Double(min(value, 1)) : 0, .sRGB)
        }
        for x in 0..<row.count {
            let (red, green, blue) = unsafe (light(row.red[x]), light(row.green[x]), light(row.blue[x]))
            let luminance = weights.x * red + weights.y * green + weights.z * blue
            let grey = Float(TransferFunction.encode(luminance, .sRGB))
            unsafe row.red[x] = grey
            unsafe row.green[x] = grey
            unsafe row.blue[x] = grey
        }
    }
}
