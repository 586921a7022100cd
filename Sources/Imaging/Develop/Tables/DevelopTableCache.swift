import ColourScience
import DevelopKernels
import Memory
import PictureFormat
import PixelKernels
import Pixels

/// Tables that a context keeps, made on first use. For 16-bit samples they are finer: curves are interpolated, and
/// colour tables have eight times the points.
final class DevelopTableCache {
    private var lookups = CurveCache<LightLUT>()
    private var curves = CurveCache<LightCurve>()
    let warps = WarpCache()
    let templates = GrainTemplateCache()
    /// First steps of looks, for 8 bits; nil for colours that no table can hold. Each takes half a megabyte.
    private var colours = BoundedCache<TableKey, TetrahedralInterpolator?>(maxCount: 12)
    /// The same for 16 bits, for alternating looks. Each takes 4 MB.
    private var fineColours = BoundedCache<TableKey, TetrahedralInterpolator?>(maxCount: 4)
    /// Whole looks for 8 bits; nil if a table cannot hold one. For alternating looks, one of them often neutral. Each
    /// takes 6 MB.
    private var luts = BoundedCache<TableKey, TetrahedralLUT?>(maxCount: 4)
    /// Neutral tables, and those of camera profiles, each for one tone curve. Photos of one camera often share one.
    /// Each takes half a megabyte.
    private var neutrals = BoundedCache<NeutralKey, RenderingTable>(maxCount: 12)
    /// Later steps of looks that are not one table. Each takes half a megabyte, or 4 MB for 16 bits.
    private var operations = BoundedCache<String, ColourOperation>(maxCount: 8)

    private struct TableKey: Hashable {
        let look: String
        let output: ColourSpace
        let profile: ProfiledTone?
    }

    private struct NeutralKey: Hashable {
        let output: ColourSpace
        let profile: ProfiledTone?
    }

    // MARK: - Curves

    /// From scene light to the encoding of a display space, by the neutral tone curve, for 8 bits. `white` is the scene
    /// light that becomes display white, rounded down to an eighth of a stop.
    func lookup(_ space: ColourSpace, white: Double, contrast: Contrast = .usual) -> LightLUT {
        lookups.tone(ToneTableKey(space, white: white, contrast: contrast))
    }

    /// For either depth.
    func tone(_ space: ColourSpace, white: Double, contrast: Contrast, _ depth: PictureDepth) -> any LightMapping {
        let key = ToneTableKey(space, white: white, contrast: contrast)
        return switch depth {
        case .eight: lookups.tone(key)
        case .sixteen: curves.tone(key)
        }
    }

    /// From light to a space's encoding.
    func encoding(_ space: ColourSpace, _ depth: PictureDepth) -> any LightMapping {
        switch depth {
        case .eight: lookups.encoding(space)
        case .sixteen: curves.encoding(space)
        }
    }

    /// From a space's encoding to light.
    func decoding(_ space: ColourSpace, _ depth: PictureDepth) -> any LightMapping {
        switch depth {
        case .eight: lookups.decoding(space)
        case .sixteen: curves.decoding(space)
        }
    }

    /// From one output space's encoding to another's.
    func conversion(from: ColourSpace, to: ColourSpace, _ depth: PictureDepth) -> ColourSpaceConversion {
        ColourSpaceConversion(
            decode: decoding(from, depth),
            matrix: ColourMatrix(RGBPrimaries(to).fromXYZ * RGBPrimaries(from).toXYZ), encode: encoding(to, depth))
    }

    // MARK: - After the tone curve

    /// From toned light in Rec. 2020 to display light, both in the display's encoding (``DisplayMapping``). A film
    /// replaces the tone curve; a profile changes scene light.
    func display(
        _ space: ColourSpace, _ depth: PictureDepth, film: (any FilmStage)? = nil, profile: ProfiledTone? = nil
    ) -> TetrahedralInterpolator {
        guard let table = table(film.map { LookStart($0) } ?? IdentityStage(), space, profile, depth) else {
            preconditionFailure("what is neutral, or a film, is a table")
        }
        return table
    }

    /// From toned light in Rec. 2020 to a look's result, in the output's encoding; nil for colours that no table can
    /// hold. `profile` changes scene light.
    func table(
        _ look: any RowStage, _ output: ColourSpace, _ profile: ProfiledTone?, _ depth: PictureDepth
    ) -> TetrahedralInterpolator? {
        guard look.position == .display, let name = look.colourKey else { return nil }
        let key = TableKey(look: name, output: output, profile: profile)
        switch depth {
        case .eight:
            return colours.value(of: key) { faithfulTable(look, output, profile).map(Self.interpolator) }
        case .sixteen:
            return fineColours.value(of: key) {
                // The usual table decides whether a look is a table, so that 8-bit and 16-bit photos have the same
                // colours.
                guard Self.isAlwaysTable(look) || faithfulTable(look, output, profile) != nil else { return nil }
                return Self.interpolator(
                    RenderingTable(look, output: output, profile: profile, size: RenderingTable.fineSize))
            }
        }
    }

    /// The tone curve and everything after it in one pass to 8 bits; nil if the look needs the generic path. `tone` is
    /// in the output's encoding.
    func rendering(
        _ look: any RowStage, output: ColourSpace, tone: LightLUT, profile: ProfiledTone? = nil, threads: Int
    ) -> LUTRendering? {
        lut(look, output, profile, threads).flatMap { Self.rendering(tone, $0) }
    }

    /// A LUT and the tone curve in the encoding of its coordinates.
    static func rendering(_ tone: LightLUT, _ lut: TetrahedralLUT) -> LUTRendering? {
        let end = lut.coordinateEnd
        // The far end belongs to the last cell. NaN becomes 0.
        let curve = (0..<LightLUTIndex.count).map { tone[$0] > 0 ? min(tone[$0] * Float(end), Float(end - 1)) : 0 }
        return LUTRendering(coordinates: .rounded(curve, end: end), lut: lut)
    }

    /// The tone curve and everything after it as one 8-bit table; nil if a table cannot hold the look.
    func lut(
        _ look: any RowStage, _ output: ColourSpace, _ profile: ProfiledTone?, _ threads: Int
    ) -> TetrahedralLUT? {
        guard look.position == .display, let name = look.colourKey else { return nil }
        return luts.value(of: TableKey(look: name, output: output, profile: profile)) {
            faithfulTable(look, output, profile).flatMap { TetrahedralLUT($0.points, threads: threads) }
        }
    }

    /// An effect on display-encoded values, as a table if that is faithful. The effect depends only on a pixel's
    /// colour.
    func operation(_ stage: any RowStage, _ depth: PictureDepth) -> ColourOperation {
        guard let name = stage.colourKey else { return .stage(stage) }
        let size = depth == .eight ? RenderingTable.usualSize : RenderingTable.fineSize
        return operations.value(of: "\(name) \(size)") { EffectTable.operation(stage, size: size) }
    }

    // MARK: - Tables of colours

    private static func isAlwaysTable(_ look: any RowStage) -> Bool { look is IdentityStage || look.film != nil }

    /// The table of the usual size; nil if it is not faithful.
    private func faithfulTable(
        _ look: any RowStage, _ output: ColourSpace, _ profile: ProfiledTone?
    ) -> RenderingTable? {
        let table = table(look, output, profile)
        return Self.isAlwaysTable(look) || table.isFaithful ? table : nil
    }

    private func table(_ look: any RowStage, _ output: ColourSpace, _ profile: ProfiledTone?) -> RenderingTable {
        guard RenderingTable.isNeutral(before: look, output) else {
            return RenderingTable(look, output: output, profile: profile)
        }
        let neutral = neutrals.value(of: NeutralKey(output: output, profile: profile)) {
            RenderingTable(IdentityStage(), output: output, profile: profile)
        }
        return look is IdentityStage ? neutral : neutral.applying(look)
    }

    private static func interpolator(_ table: RenderingTable) -> TetrahedralInterpolator {
        TetrahedralInterpolator(size: table.size, points: table.points, minimum: .zero, maximum: .one)
    }
}
