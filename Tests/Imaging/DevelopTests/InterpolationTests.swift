import ColourScience
import PictureFormat
import Pixels
import Testing

@testable import Develop

/// A mosaic to interpolate, random in everything.
struct RandomMosaic: CustomTestStringConvertible, Sendable {
    let seed: UInt64
    let layout: SensorLayout
    let crop: PixelRect
    /// Rows and columns of the black levels' block.
    let blackBlock: PixelSize
    let lead: (x: Int, y: Int)

    var testDescription: String { "seed \(seed), \(layout), \(crop), lead \(lead)" }

    func image() -> SensorImage {
        var random = Sensors.Random(state: seed)
        let blacks = (0..<blackBlock.pixelCount).map { _ in Float.random(in: 60...70, using: &random) }
        var facts = Sensors.facts(layout, crop.size)
        facts.crop = crop
        facts.black = BlackLevels(repeatSize: blackBlock, values: blacks) ?? .zero
        // Every fourth mosaic has burnt places.
        let brightest = seed % 4 == 0 ? 4200 : 1500
        return Sensors.image(facts, margin: 2) { _, _ in Int.random(in: 40...brightest, using: &random) }
    }

    /// A source's pixels, taken in tiles as a picture is made of them: three colours a pixel, row by row, none below 0.
    func pixels(of source: any TileSource) -> [[Float]] {
        let store = ScratchRows(rows: Tile.planes, count: Tile.squares)
        var pixels = [[Float]](repeating: [], count: crop.size.pixelCount)
        for y in stride(from: -lead.y, to: crop.size.height, by: 2) {
            source.prepare(y)
            for x in stride(from: -lead.x, to: crop.size.width, by: Tile.width) {
                let tile = Tile(in: store, x: x, y: y, size: crop.size)
                source.fill(tile, matrix: ColourMatrix(.identity))
                for row in tile.rows {
                    for column in tile.columns {
                        let corner = tile.corner(2 * (row - y) + (column - x) % 2)
                        let i = (column - x) / 2
                        pixels[row * crop.size.width + column] = [corner.red[i], corner.green[i], corner.blue[i]]
                    }
                }
            }
        }
        return pixels
    }
}

@Suite("Interpolation")
struct InterpolationTests {
    private static let balance: [Float] = [2, 1, 1.5]

    /// All phases; sizes from the smallest, and one of several tiles; crops that begin anywhere.
    static var bayerMosaics: [RandomMosaic] {
        var random = Sensors.Random(state: 17)
        return (0..<64).map { seed in
            let isWide = seed % 16 == 15
            let size = PixelSize(
                width: isWide ? 1100 + seed : Int.random(in: 2...37, using: &random),
                height: isWide ? 5 : Int.random(in: 2...29, using: &random))
            let crop = PixelRect(
                x: Int.random(in: 0...3, using: &random), y: Int.random(in: 0...3, using: &random), size: size)
            let block = [
                PixelSize(width: 1, height: 1), PixelSize(width: 2, height: 2), PixelSize(width: 3, height: 4),
            ]
            return RandomMosaic(
                seed: UInt64(seed), layout: .bayer(Sensors.phases[seed % 4]), crop: crop,
                blackBlock: block[seed % 3], lead: (x: seed / 4 % 2, y: seed / 8 % 2))
        }
    }

    @Test("The fused rows of a Bayer mosaic are, to the bit, what the plain way gives", arguments: bayerMosaics)
    func bayer(mosaic: RandomMosaic) throws {
        let image = mosaic.image()
        guard case .bayer(let pattern) = mosaic.layout else { return }
        let phase = try #require(BayerPhase(pattern))
        let levels = SampleLevels(facts: image.facts, multipliers: Self.balance)
        let pixels = mosaic.pixels(of: BayerDemosaic(MosaicRows(image, phase: phase, levels: levels)))
        let plain = PlainBayer(image, phase: phase, levels: levels)
        for y in 0..<mosaic.crop.size.height {
            for x in 0..<mosaic.crop.size.width {
                let found = pixels[y * mosaic.crop.size.width + x].map(\.bitPattern)
                let wanted = plain.colours(x: x, y: y).map { max($0, 0).bitPattern }
                if found != wanted {
                    Issue.record(
                        "(\(x), \(y)): \(found.map(Float.init(bitPattern:))) for \(wanted.map(Float.init(bitPattern:)))"
                    )
                    return
                }
            }
        }
    }

    /// Every place of the pattern for the corner; sizes from the smallest, and one of several tiles.
    static var xTransMosaics: [RandomMosaic] {
        var random = Sensors.Random(state: 23)
        return (0..<36).map { seed in
            let isWide = seed % 12 == 11
            let size = PixelSize(
                width: isWide ? 1100 + seed : Int.random(in: 6...31, using: &random),
                height: isWide ? 6 : Int.random(in: 6...27, using: &random))
            let crop = PixelRect(
                x: Int.random(in: 0...5, using: &random), y: Int.random(in: 0...5, using: &random), size: size)
            let block = [
                PixelSize(width: 1, height: 1), PixelSize(width: 6, height: 6), PixelSize(width: 4, height: 2),
            ]
            let phase = XTransPhase(x: seed % 6, y: seed / 6)
            // Seeds that are not of the kind with burnt places.
            return RandomMosaic(
                seed: UInt64(4 * seed + 1), layout: .xTrans((0..<36).map { phase.colour($0 % 6, $0 / 6) }), crop: crop,
                blackBlock: block[seed % 3], lead: (x: seed / 3 % 2, y: seed / 5 % 2))
        }
    }

    @Test("The fused rows of an X-Trans mosaic are, to the bit, what the plain way gives", arguments: xTransMosaics)
    func xTrans(mosaic: RandomMosaic) throws {
        let image = mosaic.image()
        guard case .xTrans(let pattern) = mosaic.layout else { return }
        let phase = try #require(XTransPhase(pattern))
        let levels = SampleLevels(facts: image.facts, multipliers: Self.balance)
        let source = XTransDemosaic(
            XTransRows(image, phase: phase, levels: levels), highlights: Highlights(clip: levels.clip))
        let pixels = mosaic.pixels(of: source)
        let plain = PlainXTrans(image, phase: phase, levels: levels)
        for y in 0..<mosaic.crop.size.height {
            for x in 0..<mosaic.crop.size.width {
                let found = pixels[y * mosaic.crop.size.width + x].map(\.bitPattern)
                let wanted = plain.colours(x: x, y: y).map { max($0, 0).bitPattern }
                if found != wanted {
                    Issue.record(
                        "(\(x), \(y)): \(found.map(Float.init(bitPattern:))) for \(wanted.map(Float.init(bitPattern:)))"
                    )
                    return
                }
            }
        }
    }
}
