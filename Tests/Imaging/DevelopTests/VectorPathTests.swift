import PictureFormat
import Pixels
import SeededRandom
import Testing

@testable import Develop
@testable import DevelopKernels

/// AVX-512 gives the bits of the portable code, in a build for any processor level.
@Suite("Vector paths", .enabled(if: VectorPath.supported.contains(.avx512), "the processor has no AVX-512"))
struct VectorPathTests {
    /// Tiles of random light, from none to far beyond white.
    private static func fill(_ tile: Tile, _ random: inout SeededGenerator) {
        for corner in 0..<4 {
            let row = tile.corner(corner)
            for plane in [row.red, row.green, row.blue] {
                for x in 0..<row.count {
                    plane[x] = Float.random(in: 0...1, using: &random) * Float.random(in: 0...17, using: &random)
                }
            }
        }
    }

    private static func rendering(_ size: Int, random: inout SeededGenerator) -> LUTRendering? {
        let points = (0..<3 * size * size * size).map { _ in Float.random(in: 0...1, using: &random) }
        let tone = DevelopTableCache().lookup(.sRGB, white: 3)
        return TetrahedralLUT(points, threads: 1).flatMap { DevelopTableCache.rendering(tone, $0) }
    }

    @Test("LUT to Y′CbCr, 4:2:0 and 4:4:4", arguments: [9, 17, 25, 32, 33])
    func luts(size: Int) throws {
        var random = SeededGenerator()
        let rendering = try #require(Self.rendering(size, random: &random))
        #expect(rendering.coordinates.avx512 != nil, "AVX-512 takes smooth curves, and this one is")
        let store = ScratchRows(rows: Tile.planes, count: Tile.squares)
        for squares in [1, 31, 32, 33, 255, 256] {
            let tile = Tile(in: store, x: 0, y: 0, size: PixelSize(width: 2 * squares, height: 2))
            Self.fill(tile, &random)
            let portable = Self.bytes(tile, LUTTileWriter(rendering, path: .portable))
            let avx512 = Self.bytes(tile, LUTTileWriter(rendering, path: .avx512))
            #expect(portable == avx512, "\(squares) squares, seed \(random.seed)")
            #expect(Set(portable).count > 1)
            for row in 0..<2 {
                let portable = Self.bytes(tile, row: row, LUTTileWriter(rendering, path: .portable))
                let avx512 = Self.bytes(tile, row: row, LUTTileWriter(rendering, path: .avx512))
                #expect(portable == avx512, "row \(row) of \(squares) squares, seed \(random.seed)")
                #expect(Set(portable).count > 1)
            }
        }
    }

    /// Luma, Cb and Cr of each pixel of a tile's row, plane after plane.
    private static func bytes(_ tile: Tile, row: Int, _ writer: LUTTileWriter) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 3 * Tile.width)
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let luma = buffer.baseAddress else { return }
            writer.write(tile, row: row, luma: luma, cb: luma + Tile.width, cr: luma + 2 * Tile.width)
        }
        return bytes
    }

    /// Luma of both rows, and Cb and Cr of the squares of a tile, plane after plane.
    private static func bytes(_ tile: Tile, _ writer: LUTTileWriter) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 6 * Tile.squares)
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let upper = buffer.baseAddress else { return }
            let lower = upper + Tile.width
            let cb = lower + Tile.width
            writer.writeSquares(tile, luma: (upper, lower), cb: cb, cr: cb + Tile.squares)
        }
        return bytes
    }

    @Test(
        "Horizontal filter, reducing and refining, with the first square inside or before the picture",
        arguments: [(301, 100), (301, 301), (1031, 512), (600, 599), (97, 300), (64, 1)], [0, 1])
    func horizontalFilter(edges: (input: Int, output: Int), lead: Int) throws {
        var random = SeededGenerator()
        let shift = ResampleAxis.boxShift(input: edges.input, output: edges.output)
        let axis = ResampleAxis.cubic(input: edges.input, output: edges.output, boxShift: shift)
        let rows = (0..<6).map { _ in (0..<axis.boxed).map { _ in Float.random(in: 0...2, using: &random) } }
        let range = 0..<min(axis.output, Tile.width - lead)
        let filtered = [VectorPath.portable, .avx512].map { path -> [[UInt32]] in
            let filter = HorizontalFilter(axis, path: path)
            let columns = filter.inputs(of: range)
            for (index, row) in rows.enumerated() {
                for (x, column) in columns.enumerated() where column < row.count {
                    filter.input(index / 3)[index % 3][x] = row[column]
                }
            }
            filter.filter(range, lead: lead)
            // Each corner's planes contain every second column of two rows.
            return (0..<Tile.planes).map { plane in
                let isRight = plane / 3 % 2 == 1
                let first = lead == 1 && !isRight ? 1 : 0
                let count = (range.count + lead + (isRight ? 0 : 1)) / 2
                return (first..<max(first, count)).map { filter.outputs.row(plane)[$0].bitPattern }
            }
        }
        #expect(filtered[0] == filtered[1], "seed \(random.seed)")
    }
}
