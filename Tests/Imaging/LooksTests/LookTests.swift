import Pixels
import Testing

@testable import Looks

@Suite("Looks")
struct LookTests {
    @Test("Looks are found with and without a version; an unknown name is an error")
    func catalogue() throws {
        let looks = LookCatalogue.builtIn
        #expect(looks.looks.map(\.identifier) == ["invert@1", "mono@1", "neutral@1", "sepia@1"])
        #expect(try looks.look("sepia").digest == looks.look("sepia@1").digest)
        #expect(throws: UnknownLook.self) { try looks.look("velvet") }
        #expect(throws: UnknownLook.self) { try looks.look("mono@2") }
        #expect(throws: UnknownLook.self) { try looks.look("mono@") }
        #expect(throws: UnknownLook.self) { try looks.look("") }
    }

    @Test("No two looks share a digest, and a table's depends on every byte")
    func digests() throws {
        #expect(Set(LookCatalogue.builtIn.looks.map(\.digest)).count == 4)
        let text = "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"
        let one = try Look(cube: Array(text.utf8), fileName: "A b.cube")
        let two = try Look(cube: Array((text + "#").utf8), fileName: "A b.cube")
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

    @Test("Mono and sepia leave black and white alone and keep no hue but their own")
    func tones() throws {
        for name in ["mono", "sepia"] {
            let stage = try LookCatalogue.builtIn.look(name).stage()
            #expect(CubeTests.apply(stage, (0, 0, 0)) == [0, 0, 0])
            #expect(CubeTests.apply(stage, (1, 1, 1)).allSatisfy { abs($0 - 1) < 1e-6 })
        }
        let mono = CubeTests.apply(try LookCatalogue.builtIn.look("mono").stage(), (0.9, 0.1, 0.4))
        #expect(mono[0] == mono[1] && mono[1] == mono[2])
    }
}
