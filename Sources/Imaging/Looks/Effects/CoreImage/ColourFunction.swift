import ColourScience
import PictureFormat
import Pixels

/// A function of one colour as an effect on display-encoded sRGB.
struct ColourFunction: LookEffect {
    let position = StagePosition.display
    let displaySpace: ColourSpace? = .sRGB

    /// Maps red, green and blue, 0…1. The result is clipped to that range.
    let function: @Sendable (SIMD3<Double>) -> SIMD3<Double>

    init(_ function: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>) { self.function = function }

    func process(_ row: PixelRow) {
        for x in 0..<row.count {
            let colour = unsafe SIMD3(Double(row.red[x]), Double(row.green[x]), Double(row.blue[x]))
            let result = function(colour).clamped(lowerBound: .zero, upperBound: .one)
            unsafe row.red[x] = Float(result.x)
            unsafe row.green[x] = Float(result.y)
            unsafe row.blue[x] = Float(result.z)
        }
    }

    // MARK: - Building blocks

    /// The eye's weights on display-encoded values (ITU-R BT.601-7).
    static func luma(_ colour: SIMD3<Double>) -> Double { 0.299 * colour.x + 0.587 * colour.y + 0.114 * colour.z }

    /// Moves a colour away from grey or towards it.
    static func saturated(_ colour: SIMD3<Double>, _ factor: Double) -> SIMD3<Double> {
        let grey = SIMD3(repeating: luma(colour))
        return grey + (colour - grey) * factor
    }

    /// Linear light of display-encoded values.
    static func light(_ colour: SIMD3<Double>) -> SIMD3<Double> {
        var vector = SIMD8<Double>.zero
        for i in 0..<3 { vector[i] = colour[i] }
        let light = TransferFunction.decode(vector, .sRGB)
        return SIMD3(light[0], light[1], light[2])
    }

    /// Display-encoded values of linear light, clipped to 0…1.
    static func encoded(_ light: SIMD3<Double>) -> SIMD3<Double> {
        var vector = SIMD8<Double>.zero
        for i in 0..<3 { vector[i] = min(max(light[i], 0), 1) }
        let values = TransferFunction.encode(vector, .sRGB)
        return SIMD3(values[0], values[1], values[2])
    }

    /// Contrast around the middle that preserves black and white: S-shaped for positive amounts, flatter for negative
    /// ones.
    static func curved(_ x: Double, _ amount: Double) -> Double {
        let smooth = x * x * (3 - 2 * x)
        return x + (smooth - x) * amount
    }

    static func curved(_ colour: SIMD3<Double>, _ amount: Double) -> SIMD3<Double> {
        SIMD3(curved(colour.x, amount), curved(colour.y, amount), curved(colour.z, amount))
    }
}
