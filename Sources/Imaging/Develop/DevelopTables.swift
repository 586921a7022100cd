import ColourScience
import PictureFormat
import Pixels

/// The tables a context keeps warm, made when first asked for.
final class DevelopTables {
    private struct ToneKey: Hashable {
        let space: ColourSpace
        let step: Int
    }

    private var tones: [ToneKey: LightTable] = [:]
    private var encodings: [ColourSpace: LightTable] = [:]
    /// The last tables used, most recent last. Holding a table keeps its identity its own.
    private var cells: [(share: WeightedLUT, cells: TableCells?)] = []
    /// Looks that take turns; each costs up to 6 MB.
    private static let mostCells = 2
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
        let table = LightTable { TransferFunction.encode(curve($0), space) }
        if tones.count >= Self.mostTones { tones.removeAll() }
        tones[key] = table
        return table
    }

    /// A look's table made ready, or nil where it has to be applied in the general way.
    ///
    /// - Parameter threads: how many make it.
    func rendering(_ share: WeightedLUT, tone: LightTable, threads: Int) -> TableRendering? {
        guard let cells = cells(share, threads) else { return nil }
        return TableRendering(places: TablePlaces(tone: tone, table: share.lut, cells: cells), cells: cells)
    }

    func prepare(_ share: WeightedLUT) { _ = cells(share, 1) }

    private func cells(_ share: WeightedLUT, _ threads: Int) -> TableCells? {
        let found = cells.firstIndex { $0.share.lut === share.lut && $0.share.weight == share.weight }
        let entry = found.map { cells.remove(at: $0) } ?? (share: share, cells: TableCells(share, threads: threads))
        cells.append(entry)
        if cells.count > Self.mostCells { cells.removeFirst() }
        return entry.cells
    }

    func conversion(from: ColourSpace, to: ColourSpace) -> DisplayConversion {
        DisplayConversion(
            decode: decoding(from), matrix: ColourMatrix(RGBPrimaries(to).fromXYZ * RGBPrimaries(from).toXYZ),
            encode: encoding(to))
    }

    private func decoding(_ space: ColourSpace) -> LightTable {
        if let table = decodings[space] { return table }
        let table = LightTable { TransferFunction.decode(pointwiseMin($0, .one), space) }
        decodings[space] = table
        return table
    }

    private func encoding(_ space: ColourSpace) -> LightTable {
        if let table = encodings[space] { return table }
        let table = LightTable { TransferFunction.encode(pointwiseMin($0, .one), space) }
        encodings[space] = table
        return table
    }
}
