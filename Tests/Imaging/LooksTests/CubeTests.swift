import Pixels
import SeededRandom
import Testing

@testable import Looks

@Suite("Cube files")
struct CubeTests {
    static func text(_ size: Int, _ value: (Float, Float, Float) -> (Float, Float, Float)) -> String {
        var lines = ["LUT_3D_SIZE \(size)"]
        let top = Float(size - 1)
        for b in 0..<size {
            for g in 0..<size {
                for r in 0..<size {
                    let v = value(Float(r) / top, Float(g) / top, Float(b) / top)
                    lines.append("\(v.0) \(v.1) \(v.2)")
                }
            }
        }
        return lines.joined(separator: "\n")
    }

    @Test("The fast path for plain rows gives the same numbers as the general one")
    func usualRows() throws {
        var generator = SeededGenerator()
        let numbers = (0..<(3 * 27)).map { index in
            let digits = Int.random(in: 1...14, using: &generator)
            let fraction = (0..<digits).map { _ in "\(Int.random(in: 0...9, using: &generator))" }.joined()
            let millionths = "\(Int.random(in: 0...9, using: &generator)).\((fraction + "00000").prefix(6))"
            return ["0.\(fraction)", ".\(fraction)", "1.", millionths, "65504", "0", "0.\(fraction)123456"][index % 7]
        }
        func table(_ lineEnd: String, _ form: (String) -> String) throws -> LookupTable {
            let rows = stride(from: 0, to: numbers.count, by: 3).map { first in
                numbers[first..<first + 3].map(form).joined(separator: " \t")
            }
            return try LookupTable(cube: Array(("LUT_3D_SIZE 3\n" + rows.joined(separator: lineEnd) + lineEnd).utf8))
        }
        let general = try table("\n") { "+" + $0 }
        for lineEnd in ["\n", "\r\n", " \n", "\r"] {
            #expect(try table(lineEnd) { $0 } == general, "seed \(generator.seed)")
        }
        for word in ["0.12:456", "0.12/456", "0/123456", ":.123456", "0.1.3456", "0.12345a"] {
            #expect(throws: CubeError.self) { try table("\n") { $0 == numbers[3] ? word : $0 } }
        }
    }

    static func apply(_ text: String, _ colour: (Float, Float, Float)) throws -> [Float] {
        try apply(Look(file: Array(text.utf8), fileName: "x.cube"), colour)
    }

    static func apply(_ look: Look, _ colour: (Float, Float, Float)) throws -> [Float] {
        apply(look.stage(), colour)
    }

    static func apply(_ stage: any RowStage, _ colour: (Float, Float, Float)) -> [Float] {
        var (r, g, b) = colour
        withUnsafeMutablePointer(to: &r) { r in
            withUnsafeMutablePointer(to: &g) { g in
                withUnsafeMutablePointer(to: &b) { b in
                    stage.process(PixelRow(red: r, green: g, blue: b, count: 1))
                }
            }
        }
        return [r, g, b]
    }

    @Test("Tetrahedral interpolation of a random table follows the formula", arguments: [2, 5, 9])
    func random(size: Int) throws {
        var state: UInt64 = 11
        func next() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(state >> 40) / Float(1 << 24)
        }
        var nodes: [SIMD3<Float>] = []
        for _ in 0..<(size * size * size) { nodes.append(SIMD3(next(), next(), next()) * 1.5 - 0.25) }
        let text =
            "LUT_3D_SIZE \(size)\n" + nodes.map { "\($0.x) \($0.y) \($0.z)" }.joined(separator: "\n")
        let look = try Look(file: Array(text.utf8), fileName: "random.cube")
        for _ in 0..<500 {
            let colour = SIMD3(next(), next(), next())
            let result = try Self.apply(look, (colour.x, colour.y, colour.z))
            let expected = Self.reference(nodes, size, colour)
            for channel in 0..<3 { #expect(abs(result[channel] - expected[channel]) < 1e-4) }
        }
    }

    /// Walks from the cell's low corner to the high one along the axes, by descending fraction.
    private static func reference(_ nodes: [SIMD3<Float>], _ size: Int, _ colour: SIMD3<Float>) -> SIMD3<Float> {
        let position = colour * Float(size - 1)
        var corner = [0, 1, 2].map { min(Int(position[$0]), size - 2) }
        let fractions = (0..<3).map { position[$0] - Float(corner[$0]) }
        func node() -> SIMD3<Float> { nodes[(corner[2] * size + corner[1]) * size + corner[0]] }
        var value = node()
        var last = value
        for axis in [0, 1, 2].sorted(by: { fractions[$0] > fractions[$1] }) {
            corner[axis] += 1
            value += (node() - last) * fractions[axis]
            last = node()
        }
        return value
    }

    @Test("An identity table preserves every 8-bit colour", arguments: [2, 17, 33, 65])
    func identity(size: Int) throws {
        let look = try Look(file: Array(Self.text(size) { ($0, $1, $2) }.utf8), fileName: "identity.cube")
        for red in stride(from: 0, to: 256, by: 15) {
            for green in stride(from: 0, to: 256, by: 5) {
                var r = [Float](repeating: Float(red) / 255, count: 256)
                var g = [Float](repeating: Float(green) / 255, count: 256)
                let blue = (0..<256).map { Float($0) / 255 }
                var b = blue
                look.stage().process(PixelRow(red: &r, green: &g, blue: &b, count: 256))
                #expect(zip(b, blue).allSatisfy { abs($0 - $1) < 1e-6 })
                #expect(r.allSatisfy { abs($0 - Float(red) / 255) < 1e-6 })
                #expect(g.allSatisfy { abs($0 - Float(green) / 255) < 1e-6 })
            }
        }
    }
}
