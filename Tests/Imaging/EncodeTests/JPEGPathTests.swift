import PictureFormat
import Pixels
import SeededRandom
import Testing

@testable import Encode

@Suite("Paths to a JPEG's data")
struct JPEGPathTests {
    /// The head and data of a picture.
    private func code(_ planes: JPEGPlanes, _ quality: Int, _ path: JPEGPath) throws -> [UInt8] {
        var room = [UInt8](
            repeating: 0, count: try TurboHandle.worstCase(planes.size, planes.subsampling) + PlaneCoder.slack)
        return try room.withUnsafeMutableBytes { room in
            let (head, byteCount) = try PlaneCoder(path: path).code(planes, quality: quality, into: room)
            return head.whole(planes.size) + room[..<byteCount]
        }
    }

    /// Randomises some bits of each sample.
    private func mix(_ plane: borrowing Plane<UInt8>, _ bits: UInt8, _ random: inout SeededGenerator) {
        for y in 0..<plane.height {
            let row = plane.row(y)
            for x in 0..<plane.width { row[x] = row[x] & ~bits | UInt8.random(in: 0...255, using: &random) & bits }
        }
    }

    /// Checks planes whose detail is `noise`.
    private func check(_ width: Int, _ height: Int, _ quality: Int, noise: UInt8, _ random: inout SeededGenerator)
        throws
    {
        let halved = HalvedChroma()
        for subsampling in [ChromaSubsampling.quarter, .none] {
            let image = makePicture(width, height, subsampling)
            mix(image.luma, noise, &random)
            mix(image.cb, noise, &random)
            mix(image.cr, noise, &random)
            var all = [JPEGPlanes(image.asOneStrip)]
            if subsampling == .none { all.append(JPEGPlanes(halving: image.asOneStrip, in: halved)) }
            for planes in all {
                let wanted = try code(planes, quality, .turbo)
                for path in JPEGPath.supported {
                    #expect(
                        try code(planes, quality, path) == wanted,
                        "\(path), \(width) × \(height), quality \(quality), \(planes.subsampling), seed \(random.seed)")
                }
            }
        }
    }

    @Test(
        "Every path writes the bytes of libjpeg-turbo, for any remainder at the edges",
        arguments: [
            (1, 1), (7, 9), (8, 8), (15, 17), (16, 16), (17, 33), (24, 24), (63, 65), (129, 40), (257, 31), (520, 24),
            (530, 16), (2, 64),
        ])
    func sizes(width: Int, height: Int) throws {
        var random = SeededGenerator()
        for noise in [0, 3, 0xFF] as [UInt8] { try check(width, height, 90, noise: noise, &random) }
    }

    @Test(
        "Every path writes the bytes of libjpeg-turbo at every quality", arguments: [1, 2, 10, 25, 50, 75, 88, 95, 100])
    func qualities(quality: Int) throws {
        var random = SeededGenerator()
        for noise in [0, 15, 0xFF] as [UInt8] { try check(88, 40, quality, noise: noise, &random) }
    }

    @Test("Alternating black and white pixels, which have the largest coefficients, give the bytes of libjpeg-turbo")
    func extremes() throws {
        for pattern in 0..<4 {
            let image = makePicture(64, 64, .none)
            for y in 0..<64 {
                for x in 0..<64 {
                    let isWhite = [x + y, x, y, x / 8 + y / 8][pattern] % 2 == 0
                    for plane in [image.luma.row(y), image.cb.row(y), image.cr.row(y)] { plane[x] = isWhite ? 255 : 0 }
                }
            }
            let planes = JPEGPlanes(image.asOneStrip)
            for quality in [60, 100] {
                let wanted = try code(planes, quality, .turbo)
                for path in JPEGPath.supported { #expect(try code(planes, quality, path) == wanted, "\(path)") }
            }
        }
    }

    @Test("Too little room is an error, and nothing is written beyond it", arguments: JPEGPath.supported)
    func room(path: JPEGPath) throws {
        // libjpeg-turbo receives the room that it asks for.
        if path == .turbo { return }
        let image = makePicture(256, 64, .none)
        let planes = JPEGPlanes(image.asOneStrip)
        var memory = [UInt8](repeating: 7, count: 20_000)
        memory.withUnsafeMutableBytes { memory in
            let room = UnsafeMutableRawBufferPointer(rebasing: memory[..<6000])
            #expect(throws: EncodeError.self) { try PlaneCoder(path: path).code(planes, quality: 100, into: room) }
            #expect(memory[6000...].allSatisfy { $0 == 7 })
        }
    }
}
