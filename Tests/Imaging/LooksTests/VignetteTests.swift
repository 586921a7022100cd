import PictureFormat
import Pixels
import Testing

@testable import Looks

@Suite("Shade towards the corners")
struct VignetteTests {
    private let picture = PixelSize(width: 301, height: 201)

    private func row(_ text: String, y: Int, x: Int = 0, count: Int = 301, step: Int = 1) throws -> [Float] {
        let look = try Look(file: LookChain(text).definition { (_: String) throws(LookError) in [] }, fileName: "x")
        var values = [Float](repeating: 0.5, count: 3 * count)
        let stage = look.stage().placed(in: picture)
        values.withUnsafeMutableBufferPointer {
            guard let red = $0.baseAddress else { return }
            stage.process(
                PixelRow(red: red, green: red + count, blue: red + 2 * count, count: count, x: x, y: y, step: step))
        }
        return Array(values[..<count])
    }

    @Test("The middle is unchanged, corners darken by the intensity, and the falloff follows its formula")
    func fallOff() throws {
        let middle = try row("CIVignette(intensity=0.8)", y: 100)
        #expect(middle[150] == 0.5)
        let corner = try row("CIVignette(intensity=0.8)", y: 0)[0]
        #expect(abs(corner - 0.1) < 0.01)
        for x in 0..<150 {
            #expect(middle[x] <= middle[x + 1] && middle[x] == middle[300 - x])
            let distance = (Float(x) - 150) * (Float(x) - 150) / (150.5 * 150.5 + 100.5 * 100.5)
            #expect(abs(middle[x] - 0.5 * (1 - 0.8 * distance * distance * (3 - 2 * distance))) < 1e-5)
        }
    }

    @Test("A negative intensity lightens corners, half the strength gives half the shade, and the default nothing")
    func parameters() throws {
        #expect(abs(try row("CIVignette(intensity=-0.5)", y: 0)[0] - 0.75) < 0.01)
        #expect(abs(try row("CIVignette(intensity=0.8,strength=0.5)", y: 0)[0] - 0.3) < 0.01)
        #expect(try row("CIVignette", y: 0)[0] == 0.5)
        let (small, large) = (
            try row("CIVignette(intensity=1,radius=0.5)", y: 0), try row("CIVignette(intensity=1,radius=2)", y: 0)
        )
        #expect(small[0] == 0 && large[0] > 0.4)
        #expect(try row("CIVignette(intensity=1,radius=0)", y: 100)[40] == 0)
    }

    @Test("Pieces of a row, and every second pixel, have the values of the whole row")
    func pieces() throws {
        let text = "CISepiaTone(intensity=0.5)+CIVignette(intensity=1)+mono(strength=0.5)"
        let whole = try row(text, y: 17)
        #expect(try row(text, y: 17, x: 101, count: 50) == Array(whole[101..<151]))
        #expect(try row(text, y: 17, x: 100, count: 50, step: 2) == (0..<50).map { whole[100 + 2 * $0] })
    }

    @Test("A look that depends on places is not a colour table, and a film can precede it")
    func noTable() throws {
        let stage = try Look(
            file: LookChain("velvet+CIVignette(intensity=1)").definition { (_: String) throws(LookError) in [] },
            fileName: "x"
        ).stage()
        #expect(stage.colourKey == nil && stage.film != nil)
        #expect(stage.placed(in: picture).film != nil)
    }
}
