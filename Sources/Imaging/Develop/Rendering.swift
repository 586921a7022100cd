import ColourScience
import PictureFormat
import Pixels

/// From scene light to display-encoded values of the output space: tone, look, encoding.
///
/// Its order depends on where the look works; `sceneSpace` says which primaries it wants its light in.
struct Rendering: Sendable {
    let sceneSpace: RGBPrimaries
    private let look: any RowStage
    private let hasLook: Bool
    private let toTonePrimaries: ColourMatrix?
    private let tone: LightTable
    private let conversion: DisplayConversion?
    /// The whole way from scene light to 8 bits, where the look is a table that allows it.
    let table: TableRendering?

    /// - Parameters:
    ///   - white: scene light that becomes display white.
    ///   - threads: how many make what is not in the tables yet.
    init(look: any RowStage, output: ColourSpace, white: Double, tables: DevelopTables, threads: Int) {
        self.look = look
        hasLook = !(look is IdentityStage)
        let toneSpace = look.displaySpace ?? output
        tone = tables.tone(toneSpace, white: white)
        if look.position == .display {
            sceneSpace = RGBPrimaries(toneSpace)
            toTonePrimaries = nil
        } else {
            sceneSpace = .rec2020
            toTonePrimaries = ColourMatrix(RGBPrimaries(toneSpace).fromXYZ * RGBPrimaries.rec2020.toXYZ)
        }
        conversion = toneSpace == output ? nil : tables.conversion(from: toneSpace, to: output)
        let share = look.position == .display && toneSpace == output ? look.lut : nil
        table = share.flatMap { [tone] share in tables.rendering(share, tone: tone, threads: threads) }
    }

    /// Renders a piece of a row of light into `result`, which has room for as many pixels.
    func render(_ light: PixelRow, into result: PixelRow) {
        switch look.position {
        case .display:
            map(light, into: result)
            if hasLook { look.process(result) }
        case .sceneLinear:
            result.repeatValues(of: light)
            look.process(result)
            toTonePrimaries?.apply(result)
            map(result, into: result)
        case .rendering:
            result.repeatValues(of: light)
            look.process(result)
        }
        conversion?.apply(result)
    }

    private func map(_ light: PixelRow, into result: PixelRow) {
        tone.map(light.red, into: result.red, count: light.count)
        tone.map(light.green, into: result.green, count: light.count)
        tone.map(light.blue, into: result.blue, count: light.count)
    }
}

/// From one output space's encoding to another's, for looks that are made for one space.
struct DisplayConversion: Sendable {
    let decode: LightTable
    let matrix: ColourMatrix
    let encode: LightTable

    func apply(_ row: PixelRow) {
        map(row, decode)
        matrix.apply(row)
        map(row, encode)
    }

    private func map(_ row: PixelRow, _ table: LightTable) {
        for plane in [row.red, row.green, row.blue] {
            // A look may leave 0…1; the table wants no negative value.
            for x in 0..<row.count { plane[x] = plane[x] > 0 ? plane[x] : 0 }
            table.map(plane, into: plane, count: row.count)
        }
    }
}
