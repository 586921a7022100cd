import PNG
import PictureFormat
import Testing

@testable import Looks

@Suite("Hald pictures")
struct HaldTests {
    private static func apply(_ look: Look, _ colour: SIMD3<Float>) -> [Float] {
        CubeTests.apply(look.stage(), (colour.x, colour.y, colour.z))
    }

    @Test("An identity preserves colours, at every level", arguments: [2, 3, 4, 6, 8], [8, 16])
    func identity(level: Int, bits: Int) throws {
        let values = TableFile.identity(edge: level * level)
        let bytes = try TableFile.bytes(values, .hald, size: level, bits: bits, title: "identity")
        let look = try Look(file: bytes, fileName: "identity.png")
        let tolerance: Float = bits == 8 ? 0.5 / 255 : 0.5 / 65_535
        for colour in [SIMD3<Float>(0, 0, 0), SIMD3(1, 1, 1), SIMD3(0.2, 0.7, 0.35), SIMD3(1, 0, 0.5)] {
            let result = Self.apply(look, colour)
            for channel in 0..<3 { #expect(abs(result[channel] - colour[channel]) <= tolerance * 1.01) }
        }
    }

    @Test("Pixel i is the point of red i mod L², green i / L² mod L² and blue i / L⁴")
    func order() throws {
        let size = PixelSize(width: 8, height: 8)
        for (pixel, colour) in [(1, SIMD3<Float>(1, 0, 0)), (4, SIMD3(0, 1, 0)), (16, SIMD3(0, 0, 1))] {
            // Red 3 of 4 points is one third along its axis.
            var samples = [UInt16](repeating: 0, count: 3 * 64)
            samples[3 * pixel + 1] = 255
            let look = try Look(
                file: PNGPicture(size: size, bits: 8, samples: samples).encoded(), fileName: "order.png")
            #expect(abs(Self.apply(look, colour / 3)[1] - 1) < 1e-5)
        }
    }

    @Test("A cube and a Hald picture of the same points are the same look")
    func sameAsCube() throws {
        let values = TableFile.identity(edge: 9).enumerated().map { index, value in
            (value * value * 0.8 + Float(index % 3) * 0.05)
        }
        let cube = try Look(file: TableFile.bytes(values, .cube, size: 9, title: "a"), fileName: "a.cube")
        let hald = try Look(file: TableFile.bytes(values, .hald, size: 3, title: "a"), fileName: "a.png")
        for red in 0..<10 {
            let colour = SIMD3(Float(red) / 9, 0.31, 0.77)
            for (a, b) in zip(Self.apply(cube, colour), Self.apply(hald, colour)) { #expect(abs(a - b) < 1e-5) }
        }
    }

    @Test(
        "Pictures of other sizes are not tables",
        arguments: [(8, 9), (7, 7), (1, 1), (4913, 4913), (100, 100), (512, 64)])
    func sizes(width: Int, height: Int) throws {
        let size = PixelSize(width: width, height: height)
        let bytes = try PNGPicture(
            size: size, bits: 8, samples: [UInt16](repeating: 0, count: 3 * width * height)
        ).encoded()
        let error = #expect(throws: LookError.self) { try Look(file: bytes, fileName: "x.png") }
        #expect(error?.description.contains("\(width) × \(height)") == true)
    }

    @Test("A JPEG or TIFF is distinguished from text")
    func otherPictures() throws {
        for bytes in [[0xFF, 0xD8, 0xFF, 0xE0], Array("II*\0".utf8)] as [[UInt8]] {
            let error = #expect(throws: LookError.self) { try Look(file: bytes, fileName: "x.png") }
            #expect(error?.description.contains("save it as PNG") == true)
        }
    }
}
