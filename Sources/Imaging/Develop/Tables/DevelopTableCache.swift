import ColourScience
import DevelopKernels
import PictureFormat
import Pixels

/// The tables that a context keeps warm, made at the first request.
final class DevelopTableCache {
    private struct ToneKey: Hashable {
        let space: ColourSpace
        let step: Int
        let contrast: Contrast
    }

    private var tones: [ToneKey: LightLUT] = [:]
    private var encodings: [ColourSpace: LightLUT] = [:]
    private var decodings: [ColourSpace: LightLUT] = [:]
    /// The last LUTs of looks, most recently used last. Holding a table keeps its identity from being reused.
    private var luts: [(look: WeightedLUT, lut: TetrahedralLUT?)] = []

    /// Looks that alternate. Each LUT takes up to 6 MB.
    private static let maxLUTs = 2
    /// More than the photos of a batch need. Beyond it the cache starts again.
    private static let maxTones = 64
    /// Whites are rounded to eighths of a stop, so that one table serves many photos.
    private static let stepsPerStop = 8.0

    /// From scene light to the encoding of a display space, by the neutral tone curve.
    ///
    /// - Parameter white: scene light that becomes display white, rounded down to an eighth of a stop.
    func tone(_ space: ColourSpace, white: Double, contrast: Contrast = .usual) -> LightLUT {
        let step = Int((DeterministicMath.log2(min(max(white, 0.5), 16)) * Self.stepsPerStop).rounded(.down))
        let key = ToneKey(space: space, step: step, contrast: contrast)
        if let table = tones[key] { return table }
        let curve = ToneCurve(white: DeterministicMath.exp2(Double(step) / Self.stepsPerStop), contrast: contrast)
        let table = LightLUT { TransferFunction.encode(curve($0), space) }
        if tones.count >= Self.maxTones { tones.removeAll() }
        tones[key] = table
        return table
    }

    /// From one output space's encoding to another's.
    func conversion(from: ColourSpace, to: ColourSpace) -> ColourSpaceConversion {
        ColourSpaceConversion(
            decode: decoding(from), matrix: ColourMatrix(RGBPrimaries(to).fromXYZ * RGBPrimaries(from).toXYZ),
            encode: encoding(to))
    }

    private func decoding(_ space: ColourSpace) -> LightLUT {
        if let table = decodings[space] { return table }
        let table = LightLUT { TransferFunction.decode(pointwiseMin($0, .one), space) }
        decodings[space] = table
        return table
    }

    private func encoding(_ space: ColourSpace) -> LightLUT {
        if let table = encodings[space] { return table }
        let table = LightLUT { TransferFunction.encode(pointwiseMin($0, .one), space) }
        encodings[space] = table
        return table
    }
}

// MARK: - Looks that are LUTs

extension DevelopTableCache {
    /// A look's LUT with the tone curve before it; nil if the LUT has to be applied in the generic way.
    ///
    /// - Parameter threads: how many share the work of a LUT that is not in the cache.
    func rendering(_ look: WeightedLUT, tone: LightLUT, threads: Int) -> LUTRendering? {
        guard let lut = lut(look, threads) else { return nil }
        let red = Self.coordinates(0, tone, look.lut, lut)
        let hasCurves = look.lut.coordinate != nil
        let green = hasCurves ? Self.coordinates(1, tone, look.lut, lut) : red
        let blue = hasCurves ? Self.coordinates(2, tone, look.lut, lut) : red
        guard let rendering = LUTRendering(red: red, green: green, blue: blue, lut: lut) else {
            preconditionFailure("coordinates are made for the LUT")
        }
        return rendering
    }

    /// Makes a look's LUT before it is needed.
    func prepare(_ look: WeightedLUT) { _ = lut(look, 1) }

    private func lut(_ look: WeightedLUT, _ threads: Int) -> TetrahedralLUT? {
        let index = luts.firstIndex { $0.look.lut === look.lut && $0.look.weight == look.weight }
        let entry = index.map { luts.remove(at: $0) } ?? (look: look, lut: TetrahedralLUT(look, threads: threads))
        luts.append(entry)
        if luts.count > Self.maxLUTs { luts.removeFirst() }
        return entry.lut
    }

    /// From light to a channel's coordinate in a LUT: the tone curve, and then the LUT's own curve.
    private static func coordinates(
        _ channel: Int, _ tone: LightLUT, _ source: LUT3D, _ lut: TetrahedralLUT
    ) -> CoordinateCurve {
        let end = lut.coordinateEnd
        let curve = (0..<LightLUTIndex.count).map { i in
            let position = source.coordinate?(channel, tone[i]) ?? tone[i]
            // The far end belongs to the last cell. NaN becomes 0.
            return position > 0 ? min(position * Float(end), Float(end - 1)) : 0
        }
        return CoordinateCurve.rounded(curve, end: end)
    }
}

extension CoordinateCurve {
    /// The curve as cubics if it is smooth enough, and else rounded entry by entry.
    ///
    /// - Parameters:
    ///   - curve: a value for each index of light, from 0 to below `end`.
    ///   - end: at most 65,536.
    static func rounded(_ curve: [Float], end: Int) -> CoordinateCurve {
        let cubics = PiecewiseCubic(curve, end: end)
        let values = curve.indices.map { cubics?[$0] ?? UInt16(curve[$0].rounded()) }
        let tables = cubics.flatMap { Cubics(tables: $0.tables, last: $0.last) }
        guard let curve = CoordinateCurve(values, cubics: tables, end: end) else {
            preconditionFailure("all values of the curve are below its end")
        }
        return curve
    }
}
