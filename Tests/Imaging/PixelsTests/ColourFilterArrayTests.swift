import Pixels
import Testing

struct ColourFilterArrayTests {
    @Test("The X-Trans pattern is recognised wherever it begins", arguments: 0..<6, 0..<6)
    func findsOrigin(x: Int, y: Int) throws {
        let shifted = (0..<36).map { index in
            XTransPattern.colours[(index / 6 + y) % 6 * 6 + (index % 6 + x) % 6]
        }
        let origin = try #require(XTransPattern.origin(of: shifted))
        let again = (0..<36).map { index in
            XTransPattern.colours[(index / 6 + origin.y) % 6 * 6 + (index % 6 + origin.x) % 6]
        }
        #expect(again == shifted)
    }

    @Test("Any other pattern has no origin")
    func refusesOthers() {
        var colours = XTransPattern.colours
        colours.swapAt(0, 1)
        #expect(XTransPattern.origin(of: colours) == nil)
        #expect(XTransPattern.origin(of: []) == nil)
        #expect(XTransPattern.origin(of: [CFAColour](repeating: .green, count: 36)) == nil)
    }

    @Test("A sample's channel follows the filter array's phase")
    func namesChannels() {
        let bayer = SensorLayout.bayer([.red, .green, .green, .blue])
        #expect([bayer.channel(x: 0, y: 0), bayer.channel(x: 3, y: 0), bayer.channel(x: 1, y: 5)] == [0, 1, 2])
        let xTrans = SensorLayout.xTrans(XTransPattern.colours)
        #expect([xTrans.channel(x: 4, y: 0), xTrans.channel(x: 1, y: 6), xTrans.channel(x: 6, y: 6)] == [0, 2, 1])
        #expect((0..<4).map { SensorLayout.linearRGB.channel(x: $0, y: 7) } == [0, 1, 2, 0])
        #expect(SensorLayout.monochrome.channel(x: 5, y: 5) == 1)
    }
}
