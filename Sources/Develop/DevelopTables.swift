import Pixels

/// The tables a context keeps warm, made when first asked for.
final class DevelopTables {
    private struct ToneKey: Hashable {
        let space: ColourSpace
        let step: Int
    }

    private var tones: [ToneKey: LightTable] = [:]
    private var encodings: [ColourSpace: LightTable] = [:]
    private var decodings: [ColourSpace: LightTable] = [:]
    /// Whites are told apart in eighths of a stop, so that one table serves many photos.
    private static let stepsPerStop = 8.0
    /// More than a batch needs; beyond it the tables are made anew.
    private static let mostTones = 64

    /// Scene light to the encoding of a display space, by the neutral tone curve.
    ///
    /// - Parameter white: scene light that becomes display white; the next eighth of a stop below counts.
    func tone(_ space: ColourSpace, white: Double) -> LightTable {
        let step = Int((DeterministicMath.log2(min(max(white, 0.5), 16)) * Self.stepsPerStop).rounded(.down))
        let key = ToneKey(space: space, step: step)
        if let table = tones[key] { return table }
        let curve = ToneCurve(white: DeterministicMath.exp2(Double(step) / Self.stepsPerStop))
        let table = LightTable { DisplayEncoding.encode(curve($0), space) }
        if tones.count >= Self.mostTones { tones.removeAll() }
        tones[key] = table
        return table
    }

    func conversion(from: ColourSpace, to: ColourSpace) -> DisplayConversion {
        DisplayConversion(
            decode: decoding(from), matrix: ColourMatrix(Primaries(to).fromXYZ * Primaries(from).toXYZ),
            encode: encoding(to))
    }

    private func decoding(_ space: ColourSpace) -> LightTable {
        if let table = decodings[space] { return table }
        let table = LightTable { DisplayEncoding.decode(min($0, 1), space) }
        decodings[space] = table
        return table
    }

    private func encoding(_ space: ColourSpace) -> LightTable {
        if let table = encodings[space] { return table }
        let table = LightTable { DisplayEncoding.encode(min($0, 1), space) }
        encodings[space] = table
        return table
    }
}
