import ColourScience
import DevelopKernels
import Memory
import PictureFormat

/// A table of a function of light: interpolated for 16-bit samples, looked up for 8-bit ones.
protocol LightTable: LightMapping {
    /// The function is of light, 0…16.
    init(_ function: (SIMD8<Double>) -> SIMD8<Double>)
}

extension LightLUT: LightTable {}
extension LightCurve: LightTable {}

/// Curves of one depth, made on first use.
struct CurveCache<Curve: LightTable> {
    /// More than a batch of photos needs.
    private var tones = BoundedCache<ToneTableKey, Curve>(maxCount: 64)
    private var encodings: [ColourSpace: Curve] = [:]
    private var decodings: [ColourSpace: Curve] = [:]

    /// From scene light to the encoding of a display space, by the neutral tone curve.
    mutating func tone(_ key: ToneTableKey) -> Curve {
        tones.value(of: key) {
            let curve = key.curve
            return Curve { TransferFunction.encode(curve($0), key.space) }
        }
    }

    /// From light to a space's encoding.
    mutating func encoding(_ space: ColourSpace) -> Curve {
        let curve = encodings[space] ?? Curve { TransferFunction.encode(pointwiseMin($0, .one), space) }
        encodings[space] = curve
        return curve
    }

    /// From a space's encoding to light.
    mutating func decoding(_ space: ColourSpace) -> Curve {
        let curve = decodings[space] ?? Curve { TransferFunction.decode(pointwiseMin($0, .one), space) }
        decodings[space] = curve
        return curve
    }
}
