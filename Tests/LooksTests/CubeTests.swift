import Pixels
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

    static func apply(_ text: String, _ colour: (Float, Float, Float)) throws -> [Float] {
        let look = try Look(cube: Array(text.utf8), fileName: "x.cube")
        var (r, g, b) = colour
        withUnsafeMutablePointer(to: &r) { r in
            withUnsafeMutablePointer(to: &g) { g in
                withUnsafeMutablePointer(to: &b) { b in
                    look.stage().process(PixelRow(red: r, green: g, blue: b, count: 1))
                }
            }
        }
        return [r, g, b]
    }

    @Test("An identity table gives every 8-bit colour back", arguments: [2, 17, 33, 65])
    func identity(size: Int) throws {
        let look = try Look(cube: Array(Self.text(size) { ($0, $1, $2) }.utf8), fileName: "identity.cube")
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
