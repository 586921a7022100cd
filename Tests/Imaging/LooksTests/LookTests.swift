import ColourScience
import Foundation
import PictureFormat
import Pixels
import Testing

@testable import Looks

@Suite("Looks")
struct LookTests {
    @Test("Looks are found with and without a version; an unknown name is an error")
    func catalogue() throws {
        let looks = LookCatalogue.builtIn
        let names = [
            "cyanotype@1", "invert@1", "mono@1", "mono-green@1", "mono-orange@1", "mono-red@1", "mono-yellow@1",
            "neutral@1", "selenium@1", "sepia@1", "sepia@2",
        ]
        let films = Set(LookCatalogue.films.map(\.name))
        #expect(looks.looks.filter { !films.contains($0.name) }.map(\.identifier) == names)
        #expect(films.count >= 16 && films.isSubset(of: Set(looks.looks.map(\.name))))
        #expect(try looks.look("sepia").digest == looks.look("sepia@2").digest)
        #expect(throws: UnknownLook.self) { try looks.look("velour") }
        #expect(throws: UnknownLook.self) { try looks.look("mono@2") }
        #expect(throws: UnknownLook.self) { try looks.look("mono@") }
        #expect(throws: UnknownLook.self) { try looks.look("") }
    }

    @Test("No two looks share a digest, and a table's digest depends on every byte")
    func digests() throws {
        #expect(Set(LookCatalogue.builtIn.looks.map(\.digest)).count == LookCatalogue.builtIn.looks.count)
        let text = "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"
        let one = try Look(file: Array(text.utf8), fileName: "A b.cube")
        let two = try Look(file: Array((text + "#").utf8), fileName: "A b.cube")
        #expect(one.name == "a-b")
        #expect(one.digest != two.digest)
    }

    @Test("Strength 0 changes nothing, 1 is the full look, one half is half-way")
    func strength() throws {
        let invert = try LookCatalogue.builtIn.look("invert")
        let colour: (Float, Float, Float) = (0.125, 0.5, 1)
        #expect(CubeTests.apply(invert.stage(strength: 0), colour) == [0.125, 0.5, 1])
        #expect(CubeTests.apply(invert.stage(strength: 1), colour) == [0.875, 0.5, 0])
        #expect(CubeTests.apply(invert.stage(strength: 0.5), colour) == [0.5, 0.5, 0.5])
    }

    @Test("The first version of sepia equals version 0.1")
    func firstSepia() throws {
        let look = try LookCatalogue.builtIn.look("sepia@1")
        #expect("\(look.digest)" == "3fb23c634e232c7bbd3f208beb6819a94b5992847e1909aa86982c4bb6a0cc2b")
    }

    /// L*, C* and hue in degrees (CIELAB, D65) of display-encoded sRGB.
    private func lab(_ colour: [Float]) -> (lightness: Double, chroma: Double, hue: Double) {
        let light = colour.map { TransferFunction.decode(Double($0), .sRGB) }
        let f = zip(RGBPrimaries.rec709.toXYZ * light, Chromaticity.d65.xyz).map { cbrt($0 / $1) }
        let (a, b) = (500 * (f[0] - f[1]), 200 * (f[1] - f[2]))
        let hue = atan2(b, a) * 180 / .pi
        return (116 * f[1] - 16, (a * a + b * b).squareRoot(), hue < 0 ? hue + 360 : hue)
    }

    @Test(
        "Toned prints have their process's hue from shadows to highlights, and the lightness of black and white",
        arguments: [
            ("sepia", 12.0...18.0, 60.0...70.0), ("selenium", 4...8, 325...335), ("cyanotype", 20...28, 254...268),
        ])
    func toning(name: String, chroma: ClosedRange<Double>, hue: ClosedRange<Double>) throws {
        let stage = try LookCatalogue.builtIn.look(name).stage()
        for value: Float in [0.15, 0.25, 0.466, 0.7, 0.85] {
            let found = lab(CubeTests.apply(stage, (value, value, value)))
            #expect(hue.contains(found.hue), "\(value): \(found)")
            #expect(abs(found.lightness - lab([value, value, value]).lightness) < 0.6, "\(value): \(found)")
            if value == 0.466 { #expect(chroma.contains(found.chroma), "\(found)") }
        }
    }

    @Test("A filter lightens its own colour, darkens the opposite one, and preserves greys")
    func filters() throws {
        func grey(_ look: String, _ colour: (Float, Float, Float)) throws -> Float {
            let result = CubeTests.apply(try LookCatalogue.builtIn.look(look).stage(), colour)
            #expect(result[0] == result[1] && result[1] == result[2])
            return result[0]
        }
        let (sky, leaf, lips): ((Float, Float, Float), (Float, Float, Float), (Float, Float, Float)) =
            ((0.35, 0.55, 0.85), (0.35, 0.5, 0.2), (0.7, 0.35, 0.35))
        let skies = try ["mono", "mono-yellow", "mono-orange", "mono-red"].map { try grey($0, sky) }
        #expect(zip(skies, skies.dropFirst()).allSatisfy { $0 > $1 + 0.01 }, "\(skies)")
        #expect(try grey("mono-green", leaf) > grey("mono", leaf) && grey("mono-green", lips) < grey("mono", lips))
        #expect(try grey("mono-red", lips) > grey("mono", lips))
        for name in ["mono-yellow", "mono-orange", "mono-red", "mono-green"] {
            for value: Float in [0, 0.02, 0.2, 0.5, 1] {
                #expect(abs(try grey(name, (value, value, value)) - value) < 1e-4)
            }
        }
    }

    @Test("Mono and toned prints preserve black and white and keep no hue but their own")
    func tones() throws {
        for name in ["mono", "sepia@1", "sepia", "selenium", "cyanotype"] {
            let stage = try LookCatalogue.builtIn.look(name).stage()
            #expect(CubeTests.apply(stage, (0, 0, 0)) == [0, 0, 0])
            #expect(CubeTests.apply(stage, (1, 1, 1)).allSatisfy { abs($0 - 1) < 1e-6 })
        }
        let mono = CubeTests.apply(try LookCatalogue.builtIn.look("mono").stage(), (0.9, 0.1, 0.4))
        #expect(mono[0] == mono[1] && mono[1] == mono[2])
    }
}
