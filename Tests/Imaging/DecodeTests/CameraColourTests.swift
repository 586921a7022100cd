import CLibRaw
import ColourScience
import Pixels
import Testing

@testable import Decode

@Suite("Camera colours from LibRaw's numbers")
struct CameraColourTests {
    /// Facts of a camera that is not in LibRaw's table: three colours per pixel, or a mosaic.
    private static func facts(filters: UInt32, balance: [Float] = [0, 0, 0, 0], toSRGB: [Float]) -> LibRawFacts {
        var facts = CLibRawFacts()
        facts.rawWidth = 64
        facts.rawHeight = 48
        facts.width = 64
        facts.height = 48
        facts.colours = 3
        facts.filters = filters
        facts.cameraMultipliers = (balance[0], balance[1], balance[2], balance[3])
        let m = toSRGB
        facts.cameraToSRGB = (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
        return LibRawFacts(facts)
    }

    private static let none: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    private static let known: [Float] = [1.8, -0.3, -0.5, -0.4, 1.8, -0.4, -0.7, -1.4, 3.1]
    private static let mosaic: UInt32 = 0xe1e1_e1e1

    /// A balanced colour in linear sRGB.
    private static func shown(_ colour: [Double], by facts: LibRawFacts) throws -> [Double] {
        let matrix = try #require(facts.matrix)
        let balance = try #require(facts.whiteBalance)
        let toXYZ = try #require(Matrix3x3(matrix.xyzToCamera.elements).inverse)
        return RGBPrimaries.rec709.fromXYZ * toXYZ * zip(colour, balance).map { $0 / Double($1) }
    }

    @Test("Three colours per pixel that match no camera's balance or matrix are sRGB")
    func developed() throws {
        let facts = Self.facts(filters: 0, toSRGB: Self.none)
        #expect(facts.whiteBalance == [1, 1, 1])
        for colour in [[1.0, 1, 1], [0.2, 0.5, 0.9]] {
            for (a, b) in zip(try Self.shown(colour, by: facts), colour) { #expect(abs(a - b) < 1e-5) }
        }
    }

    @Test("A matrix that LibRaw has only for balanced colours is used for any balance")
    func balanced() throws {
        for balance: [Float] in [[1, 1, 1, 1], [2, 1, 1.5, 1]] {
            let facts = Self.facts(filters: Self.mosaic, balance: balance, toSRGB: Self.known)
            for colour in [[1.0, 1, 1], [0.2, 0.5, 0.9]] {
                let expected = Matrix3x3(Self.known) * colour
                for (a, b) in zip(try Self.shown(colour, by: facts), expected) { #expect(abs(a - b) < 1e-4) }
            }
        }
    }

    @Test("A mosaic or a recorded balance shows that samples are not sRGB; an invalid matrix is ignored")
    func unknown() {
        #expect(Self.facts(filters: Self.mosaic, toSRGB: Self.none).matrix == nil)
        #expect(Self.facts(filters: Self.mosaic, toSRGB: Self.none).whiteBalance == nil)
        #expect(Self.facts(filters: 0, balance: [2, 1, 1.5, 1], toSRGB: Self.none).matrix == nil)
        #expect(Self.facts(filters: Self.mosaic, toSRGB: [.nan, 0, 0, 0, 1, 0, 0, 0, 1]).matrix == nil)
        #expect(Self.facts(filters: Self.mosaic, toSRGB: [1, 1, 1, 1, 1, 1, 1, 1, 1]).matrix == nil)
    }
}
