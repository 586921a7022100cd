import Pixels

/// The tables a context keeps warm, made when first asked for.
final class DevelopTables {
    private var tones: [ColourSpace: LightTable] = [:]
    private var encodings: [ColourSpace: LightTable] = [:]
    private var decodings: [ColourSpace: LightTable] = [:]

    /// Scene light to the encoding of a display space, by the neutral tone curve.
    func tone(_ space: ColourSpace) -> LightTable {
        if let table = tones[space] { return table }
        let curve = ToneCurve()
        let table = LightTable { DisplayEncoding.encode(curve($0), space) }
        tones[space] = table
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
