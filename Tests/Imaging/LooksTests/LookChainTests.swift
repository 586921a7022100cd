import Testing

@testable import Looks

@Suite("Looks of several steps")
struct LookChainTests {
    private func definition(_ text: String) throws(LookError) -> [UInt8] {
        try LookChain(text).definition { (_: String) throws(LookError) in
            Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8)
        }
    }

    private func look(_ text: String) throws(LookError) -> Look { try Look(file: definition(text), fileName: "x") }

    @Test("A chain survives a round trip, and its name lists its steps")
    func roundTrip() throws {
        let text = "velvet@1(grain=0.5, push=1)+CISepiaTone(intensity=0.3)+warm.cube(strength=0.5)"
        let bytes = try definition(text)
        let definition = try LookDefinition(bytes)
        #expect(definition.bytes == bytes && definition.steps.count == 3)
        #expect(definition.name == "velvet-grain0-5-push1-cisepiatone-intensity0-3-warm-strength0-5")
        let look = try look(text)
        let plain = try self.look("velvet@1")
        #expect(look.film != nil && look.digest != plain.digest)
        #expect(try self.look(text).digest == look.digest)
    }

    @Test("A step with other parameters is another look")
    func digests() throws {
        let texts = [
            "velvet(grain=0.5)", "velvet(grain=0.6)", "velvet(halation=0.5)", "velvet(strength=0.5)",
            "clear(grain=0.5)",
            "velvet+mono", "velvet+mono(strength=0.5)", "mono+invert", "invert+mono", "CISepiaTone",
        ]
        #expect(try Set(texts.map { try look($0).digest }).count == texts.count)
    }

    @Test(
        "Errors in a chain are named",
        arguments: [
            ("velvet(foo=1)", "a film has no parameter foo"), ("mono+velvet", "a film comes first"),
            ("velvet+clear", "a film comes first"), ("CISepiaTone(intensity=2)", "is from 0 to 1"),
            ("CISepiaTone(intensity=1:2)", "takes one number"), ("CISepiaTone(radius=1)", "no parameter radius"),
            ("velvet(grain", "an unmatched bracket"), ("velvet(grain=x)", "is not a valid parameter"),
            ("velvet+", "a look has no name"), ("nothing(strength=1)", "there is no look"),
            ("mono(strength=2)", "strength is from 0 to 1"), ("mono(push=1)", "no parameter push, only strength"),
        ])
    func mistakes(text: String, word: String) throws {
        let error = #expect(throws: LookError.self) { try definition(text) }
        #expect(error?.description.contains(word) == true, "\(error?.description ?? "none")")
    }

    @Test("Damaged definitions are refused, and never trap")
    func damage() throws {
        let whole = try definition("velvet(grain=0.5)+CIColorControls(contrast=1.2)+warm.cube")
        for end in 0..<whole.count { _ = try? Look(file: Array(whole[..<end]), fileName: "x") }
        for index in whole.indices {
            for bit in [0x01, 0x20, 0x80] as [UInt8] {
                var bytes = whole
                bytes[index] ^= bit
                if let look = try? Look(file: bytes, fileName: "x") { #expect(look.name.utf8.count <= 64) }
            }
        }
        #expect(throws: LookError.self) { try LookDefinition(Array("rawmill-look: 2\n...\n".utf8)) }
        for name in ["../x", "a/b", "Upper", "ä", " "] {
            let text = """
                rawmill-look: 1
                name: "\(name)"
                summary: "y"
                steps:
                  - look: velvet@1
                ...

                """
            #expect(throws: LookError.self) { try LookDefinition(Array(text.utf8)) }
        }
    }

    @Test("A user's own look expands to its steps, and its film or only step receives the parameters")
    func ownLooks() throws {
        let table = Array("LUT_1D_SIZE 2\n0 0 0\n1 1 0.5\n".utf8)
        func chain(_ text: String, own: [String: [UInt8]] = [:]) throws -> LookDefinition {
            try LookDefinition(LookChain(text).definition(own: own) { (_: String) throws(LookError) in table })
        }
        let evening = try chain("velvet(push=0.5)+sepia").bytes
        let own = try chain("evening(push=1,grain=0)+mono", own: ["evening": evening])
        #expect(own.steps == (try chain("velvet(push=1,grain=0)+sepia+mono")).steps)
        #expect(own.name == "evening-grain0-push1-mono")
        #expect(
            try chain("evening+mono", own: ["evening": evening]).steps == chain("velvet(push=0.5)+sepia+mono").steps)
        // A table as stored by earlier libraries.
        #expect(
            try chain("mono+warm(strength=0.5)", own: ["warm": table]).steps == chain("mono+a.cube(strength=0.5)").steps
        )
        for text in ["evening(strength=0.5)+mono", "mono+evening", "warm(push=1)+mono"] {
            #expect(throws: LookError.self) { try chain(text, own: ["evening": evening, "warm": table]) }
        }
    }
}
