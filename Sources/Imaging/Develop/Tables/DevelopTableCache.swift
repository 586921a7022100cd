import ColourScience
import DevelopKernels
import PictureFormat
import PixelKernels
import Pixels

/// The tables that a context keeps warm, made at the first request.
final class DevelopTableCache {
    private var tones: [ToneTableKey: LightLUT] = [:]
    private var encodings: [ColourSpace: LightLUT] = [:]
    private var decodings: [ColourSpace: LightLUT] = [:]
    private var neutrals: [ColourSpace: RenderingTable] = [:]
    private var displays: [ColourSpace: TetrahedralInterpolator] = [:]
    /// Neutral tables of cameras' profiles, which are for one tone curve each.
    private var profiled: [ProfiledKey: RenderingTable] = [:]
    /// For samples of 16 bits.
    let fine = FineTableCache()
    let warps = WarpCache()
    /// Of films' grain.
    let templates = GrainTemplateCache()
    /// The last looks' tables, most recently used last; nil for a look that a table does not hold.
    private var luts: [(key: LUTKey, lut: TetrahedralLUT?)] = []

    /// What looks begin with that are no table as a whole; nil where that is no table either.
    private var starts: [LUTKey: TetrahedralInterpolator?] = [:]
    /// The later steps of such looks.
    private var operations: [String: ColourOperation] = [:]

    private struct LUTKey: Hashable {
        let look: String
        let output: ColourSpace
        let profile: ProfiledTone?
    }

    private struct ProfiledKey: Hashable {
        let output: ColourSpace
        let profile: ProfiledTone
    }

    /// Looks that alternate, one of them often neutral. Each LUT takes 6 MB.
    private static let maxLUTs = 4
    /// Each takes half a megabyte.
    private static let maxStarts = 8
    /// Each takes half a megabyte, or 4 MB for samples of 16 bits.
    private static let maxOperations = 8
    /// Photos of one camera often have the same curve. Each table takes half a megabyte.
    private static let maxProfiled = 8
    /// More than the photos of a batch need. Beyond it the cache starts again.
    private static let maxTones = 64
    /// From scene light to the encoding of a display space, by the neutral tone curve.
    ///
    /// - Parameter white: scene light that becomes display white, rounded down to an eighth of a stop.
    func tone(_ space: ColourSpace, white: Double, contrast: Contrast = .usual) -> LightLUT {
        let key = ToneTableKey(space, white: white, contrast: contrast)
        if let table = tones[key] { return table }
        let curve = key.curve
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

    func encoding(_ space: ColourSpace) -> LightLUT {
        if let table = encodings[space] { return table }
        let table = LightLUT { TransferFunction.encode(pointwiseMin($0, .one), space) }
        encodings[space] = table
        return table
    }
}

// MARK: - What follows the tone curve

extension DevelopTableCache {
    /// The tone curve and all after it in one pass; nil for a look that has to be applied in the generic way.
    ///
    /// - Parameters:
    ///   - tone: the curve in the output's encoding.
    ///   - profile: moves the scene's light; nil for none.
    ///   - threads: how many share the work of a LUT that is not in the cache.
    func rendering(
        _ look: any RowStage, output: ColourSpace, tone: LightLUT, profile: ProfiledTone? = nil, threads: Int
    ) -> LUTRendering? {
        lut(look, output, profile, threads).flatMap { Self.rendering(tone, $0) }
    }

    /// A tone curve in the encoding of a LUT's coordinates, and the LUT.
    static func rendering(_ tone: LightLUT, _ lut: TetrahedralLUT) -> LUTRendering? {
        let end = lut.coordinateEnd
        // The far end belongs to the last cell. NaN becomes 0.
        let curve = (0..<LightLUTIndex.count).map { tone[$0] > 0 ? min(tone[$0] * Float(end), Float(end - 1)) : 0 }
        return LUTRendering(coordinates: .rounded(curve, end: end), lut: lut)
    }

    /// From toned light in Rec. 2020 to the display's, both in the display's encoding (``DisplayMapping``).
    ///
    /// - Parameter profile: moves the scene's light; nil for none.
    func display(_ space: ColourSpace, _ profile: ProfiledTone? = nil) -> TetrahedralInterpolator {
        if profile == nil, let table = displays[space] { return table }
        let table = Self.interpolator(neutral(space, profile))
        if profile == nil { displays[space] = table }
        return table
    }

    /// As above, with a film in the tone curve's place.
    func display(
        _ space: ColourSpace, _ film: (any FilmStage)?, _ profile: ProfiledTone?
    ) -> TetrahedralInterpolator {
        guard let film else { return display(space, profile) }
        guard let table = table(LookStart(film), space, profile) else { preconditionFailure("a film is a table") }
        return table
    }

    /// From toned light in Rec. 2020 to what a look begins with, in its own space; nil for colours that no table holds.
    func table(_ look: LookStart, _ space: ColourSpace, _ profile: ProfiledTone?) -> TetrahedralInterpolator? {
        guard let name = look.colourKey else { return nil }
        let key = LUTKey(look: name, output: space, profile: profile)
        if let known = starts[key] { return known }
        let table = rendering(look, space, profile)
        let made = look.film != nil || table.isFaithful ? Self.interpolator(table) : nil
        if starts.count >= Self.maxStarts { starts.removeAll() }
        starts[key] = .some(made)
        return made
    }

    /// An effect on display-encoded values, as a table where that is faithful.
    ///
    /// - Parameters:
    ///   - stage: an effect that depends on nothing but a pixel's colour.
    ///   - size: points along an edge of the table.
    func operation(_ stage: any RowStage, size: Int) -> ColourOperation {
        guard let name = stage.colourKey else { return .stage(stage) }
        let key = "\(name) \(size)"
        if let known = operations[key] { return known }
        let operation = EffectTable.operation(stage, size: size)
        if operations.count >= Self.maxOperations { operations.removeAll() }
        operations[key] = operation
        return operation
    }

    private static func interpolator(_ table: RenderingTable) -> TetrahedralInterpolator {
        TetrahedralInterpolator(
            size: RenderingTable.usualSize, points: table.points, minimum: .zero, maximum: .one)
    }

    private func rendering(_ look: any RowStage, _ output: ColourSpace, _ profile: ProfiledTone?) -> RenderingTable {
        guard RenderingTable.isNeutral(before: look, output) else {
            return RenderingTable(look, output: output, profile: profile)
        }
        let neutral = neutral(output, profile)
        return look is IdentityStage ? neutral : neutral.applying(look)
    }

    private func neutral(_ space: ColourSpace, _ profile: ProfiledTone?) -> RenderingTable {
        guard let profile else { return neutral(space) }
        let key = ProfiledKey(output: space, profile: profile)
        if let table = profiled[key] { return table }
        let table = RenderingTable(IdentityStage(), output: space, profile: profile)
        if profiled.count >= Self.maxProfiled { profiled.removeAll() }
        profiled[key] = table
        return table
    }

    private func neutral(_ space: ColourSpace) -> RenderingTable {
        if let table = neutrals[space] { return table }
        let table = RenderingTable(IdentityStage(), output: space)
        neutrals[space] = table
        return table
    }

    /// The tone curve and all after it as one table; nil for a look that a table does not hold.
    func lut(
        _ look: any RowStage, _ output: ColourSpace, _ profile: ProfiledTone?, _ threads: Int
    ) -> TetrahedralLUT? {
        guard look.position == .display, let name = look.colourKey else { return nil }
        let key = LUTKey(look: name, output: output, profile: profile)
        if let index = luts.firstIndex(where: { $0.key == key }) {
            luts.append(luts.remove(at: index))
        } else {
            let table = rendering(look, output, profile)
            let isTable = look is IdentityStage || look.film != nil || table.isFaithful
            let lut = isTable ? TetrahedralLUT(table.points, threads: threads) : nil
            luts.append((key, lut))
            if luts.count > Self.maxLUTs { luts.removeFirst() }
        }
        return luts.last?.lut
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
