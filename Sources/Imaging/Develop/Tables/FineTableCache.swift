import ColourScience
import DevelopKernels
import PictureFormat
import PixelKernels
import Pixels

/// The tables for samples of 16 bits that a context keeps warm, made at the first request.
///
/// They have what those for 8 bits lack: curves are interpolated, points of colour tables are floats, and there are eight
/// times as many.
final class FineTableCache {
    /// Points along an edge of a colour table.
    static let size = 65
    /// Looks that alternate. Each table takes 4 MB.
    private static let maxTables = 4
    /// More than the photos of a batch need. Beyond it the cache starts again.
    private static let maxTones = 64

    private struct TableKey: Hashable {
        let look: String
        let output: ColourSpace
        let profile: ProfiledTone?
    }

    private var tones: [ToneTableKey: LightCurve] = [:]
    private var encodings: [ColourSpace: LightCurve] = [:]
    private var decodings: [ColourSpace: LightCurve] = [:]
    /// Nil for a look that a table does not hold.
    private var tables: [TableKey: TetrahedralInterpolator?] = [:]

    /// From scene light to the encoding of a display space, by the neutral tone curve.
    ///
    /// - Parameter white: scene light that becomes display white, rounded down to an eighth of a stop.
    func tone(_ space: ColourSpace, white: Double, contrast: Contrast) -> LightCurve {
        let key = ToneTableKey(space, white: white, contrast: contrast)
        if let table = tones[key] { return table }
        let curve = key.curve
        let table = LightCurve { TransferFunction.encode(curve($0), space) }
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

    /// From a space's encoding to light.
    func decoding(_ space: ColourSpace) -> LightCurve {
        let curve = decodings[space] ?? LightCurve { TransferFunction.decode(pointwiseMin($0, .one), space) }
        decodings[space] = curve
        return curve
    }

    /// From light to a space's encoding.
    func encoding(_ space: ColourSpace) -> LightCurve {
        let curve = encodings[space] ?? LightCurve { TransferFunction.encode(pointwiseMin($0, .one), space) }
        encodings[space] = curve
        return curve
    }

    /// From toned light in Rec. 2020 to the display's, both in the display's encoding (``DisplayMapping``).
    ///
    /// - Parameters:
    ///   - film: what takes the tone curve's place; nil for nothing.
    ///   - profile: moves the scene's light; nil for none.
    func display(
        _ space: ColourSpace, _ film: (any FilmStage)? = nil, _ profile: ProfiledTone? = nil
    ) -> TetrahedralInterpolator {
        guard let table = table(film.map { LookStart($0) } ?? IdentityStage(), output: space, profile) else {
            preconditionFailure("what is neutral, or a film, is a table")
        }
        return table
    }

    /// All that follows the tone curve, with a look; nil for a look that has to be applied in the generic way.
    ///
    /// - Parameter profile: moves the scene's light; nil for none.
    func table(
        _ look: any RowStage, output: ColourSpace, _ profile: ProfiledTone?
    ) -> TetrahedralInterpolator? {
        guard look.position == .display, let name = look.colourKey else { return nil }
        let key = TableKey(look: name, output: output, profile: profile)
        if let known = tables[key] { return known }
        // Whether a look is a table is asked of the usual one, so that photos of 8 and of 16 bits have the same colours.
        let isTable =
            look is IdentityStage || look.film != nil
            || RenderingTable(look, output: output, profile: profile).isFaithful
        let table =
            isTable ? interpolator(RenderingTable(look, output: output, profile: profile, size: Self.size)) : nil
        if tables.count >= Self.maxTables { tables.removeAll() }
        tables[key] = .some(table)
        return table
    }

    private func interpolator(_ table: RenderingTable) -> TetrahedralInterpolator {
        TetrahedralInterpolator(size: table.size, points: table.points, minimum: .zero, maximum: .one)
    }
}
