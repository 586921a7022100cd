import ColourScience
import PictureFormat
import Pixels
import Testing

@testable import Develop
@testable import DevelopKernels

struct RandomMosaic: CustomTestStringConvertible, Sendable {
    let seed: UInt64
    let layout: SensorLayout
    let crop: PixelRect
    /// The repeating block of black levels.
    let blackBlock: PixelSize
    let lead: TileLead

    var testDescription: String { "seed \(seed), \(layout), \(crop), lead \(lead)" }

    func image() -> SensorImage {
        var random = Sensors.Random(state: seed)
        let blacks = (0..<blackBlock.pixelCount).map { _ in Float.random(in: 60...70, using: &random) }
        var facts = Sensors.facts(layout, crop.size)
        facts.crop = crop
        facts.black = BlackLevels(repeatSize: blackBlock, values: blacks) ?? .zero
        // Every fourth mosaic has burnt highlights.
        let brightest = seed % 4 == 0 ? 4200 : 1500
        return Sensors.image(facts, margin: 2) { _, _ in Int.random(in: 40...brightest, using: &random) }
    }

    /// A source's pixels, read in tiles as for a picture: three colours per pixel, row by row, none below 0.
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

@Suite("Demosaicing")
struct DemosaicTests {
    private struct Refused: Error {}

    private static let balance: [Float] = [2, 1, 1.5]

    /// All phases, sizes from the smallest to several tiles, and crops with any origin.
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
                blackBlock: block[seed % 3], lead: TileLead(x: seed / 4 % 2, y: seed / 8 % 2))
        }
    }

    /// From a grid that covers the smaller mosaics only.
    static var hues: HighlightHues? {
        var random = Sensors.Random(state: 5)
        let cells = (0..<6).map { _ in
            let share = { Float.random(in: 0.1...1, using: &random) }
            return SIMD4(share(), share(), share(), 1)
        }
        return HighlightHues(across: 3, down: 2, cells: cells)
    }

    @Test("Demosaicing a Bayer mosaic by rows equals the per-pixel reference, bit by bit", arguments: bayerMosaics)
    func bayer(mosaic: RandomMosaic) throws {
        let image = mosaic.image()
        guard case .bayer(let pattern) = mosaic.layout else { throw Refused() }
        let phase = try #require(BayerPhase(pattern))
        let levels = try #require(SampleLevels(facts: image.facts, multipliers: Self.balance))
        guard let samples = SensorSamples(image) else { throw Refused() }
        let hues = try #require(Self.hues)
        let highlights = HighlightReconstruction(clip: levels.clip, hues: hues)
        let rows = try #require(BayerRows(samples, phase: phase, levels: levels, highlights: highlights))
        let pixels = mosaic.pixels(of: BayerDemosaic(rows, detail: nil))
        let reference = ReferenceBayer(image, phase: phase, levels: levels, hues: hues)
        for y in 0..<mosaic.crop.size.height {
            for x in 0..<mosaic.crop.size.width {
                let found = pixels[y * mosaic.crop.size.width + x].map(\.bitPattern)
                let expected = reference.colours(x: x, y: y).map { max($0, 0).bitPattern }
                if found != expected {
                    let values = [found, expected].map { $0.map(Float.init(bitPattern:)) }
                    Issue.record("(\(x), \(y)): \(values[0]) for \(values[1])")
                    return
                }
            }
        }
    }

    /// Every pattern position for the first sample, and sizes from the smallest to several tiles.
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
            // No seed is a multiple of four, which would give burnt highlights.
            return RandomMosaic(
                seed: UInt64(4 * seed + 1), layout: .xTrans((0..<36).map { phase.colour($0 % 6, $0 / 6) }), crop: crop,
                blackBlock: block[seed % 3], lead: TileLead(x: seed / 3 % 2, y: seed / 5 % 2))
        }
    }

    @Test(
        "Demosaicing an X-Trans mosaic by rows equals the per-pixel reference, bit by bit",
        arguments: xTransMosaics)
    func xTrans(mosaic: RandomMosaic) throws {
        let image = mosaic.image()
        guard case .xTrans(let pattern) = mosaic.layout else { throw Refused() }
        let phase = try #require(XTransPhase(pattern))
        let levels = try #require(SampleLevels(facts: image.facts, multipliers: Self.balance))
        guard let samples = SensorSamples(image) else { throw Refused() }
        let rows = try #require(XTransRows(samples, phase: phase, levels: levels))
        let demosaic = XTransDemosaic(rows, highlights: HighlightReconstruction(clip: levels.clip))
        let pixels = mosaic.pixels(
            of: XTransTiles(demosaic, detail: nil, size: mosaic.crop.size, lead: mosaic.lead))
        let reference = ReferenceXTrans(image, phase: phase, levels: levels)
        for y in 0..<mosaic.crop.size.height {
            for x in 0..<mosaic.crop.size.width {
                let found = pixels[y * mosaic.crop.size.width + x].map(\.bitPattern)
                let expected = reference.colours(x: x, y: y).map { max($0, 0).bitPattern }
                if found != expected {
                    let values = [found, expected].map { $0.map(Float.init(bitPattern:)) }
                    Issue.record("(\(x), \(y)): \(values[0]) for \(values[1])")
                    return
                }
            }
        }
    }

    @Test(
        "Lamps in an X-Trans mosaic are restored pixel by pixel, and their surroundings stay unchanged",
        arguments: 0..<4)
    func xTransLamps(seed: Int) throws {
        let crop = PixelRect(x: seed, y: 2 * seed, size: PixelSize(width: 420, height: 24))
        let mosaic = RandomMosaic(
            seed: 1, layout: Sensors.xTrans, crop: crop, blackBlock: PixelSize(width: 1, height: 1),
            lead: TileLead(x: seed % 2, y: seed / 2))
        var facts = Sensors.facts(Sensors.xTrans, crop.size)
        facts.crop = crop
        var random = Sensors.Random(state: UInt64(seed))
        // One lamp on the border of two pieces of a row, and one inside another.
        let image = Sensors.image(facts, margin: 2) { x, y in
            let isLamp = (110..<140).contains(x) && y > 10 || (400..<406).contains(x)
            return Int.random(in: isLamp ? 3400...4200 : 40...1500, using: &random)
        }
        guard case .xTrans(let pattern) = Sensors.xTrans, let samples = SensorSamples(image) else { throw Refused() }
        let phase = try #require(XTransPhase(pattern))
        let levels = try #require(SampleLevels(facts: image.facts, multipliers: Self.balance))
        let hues = try #require(Self.hues)
        func pixels(_ highlights: HighlightReconstruction) throws -> [[Float]] {
            let rows = try #require(XTransRows(samples, phase: phase, levels: levels))
            let demosaic = XTransDemosaic(rows, highlights: highlights)
            return mosaic.pixels(of: XTransTiles(demosaic, detail: nil, size: crop.size, lead: mosaic.lead))
        }
        let highlights = HighlightReconstruction(clip: levels.clip, hues: hues)
        let found = try pixels(highlights)
        let plain = try pixels(HighlightReconstruction(clip: levels.clip.map { $0 * 1000 }))
        let roots = FixedPointRoots(clip: levels.clip)
        var changed = 0
        var hue: (Float, Float, Float) = (0, 0, 0)
        for (i, own) in plain.enumerated() {
            let (x, y) = (crop.x + i % crop.size.width, crop.y + i / crop.size.width)
            hues.fill(x: x, step: 1, y: y, count: 1, &hue.0, &hue.1, &hue.2)
            let restored = highlights.restore(own[0], own[1], own[2], hue: hue)
            let expected = [restored.0, restored.1, restored.2].map { roots.light(Float(roots.root($0))) }
            changed += [restored.0, restored.1, restored.2] == own ? 0 : 1
            // One step of the roots.
            let isAlike = zip(found[i], expected).allSatisfy { abs($0 - $1) <= 5e-4 * max($1, 0.05) }
            #expect(isAlike, "(\(x), \(y)): \(found[i]) for \(expected)")
            if !isAlike { return }
        }
        #expect(changed > 200, "\(changed) pixels")
    }
}
