import SeededRandom
import Testing

@testable import Looks

@Suite("Looks in YAML")
struct LookFileTests {
    private static let table = Array("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".utf8)

    private func whole(_ text: String, _ changes: LookFile.Changes = .init()) throws(LookError) -> [UInt8] {
        try LookFile.whole(Array(text.utf8), changes: changes) { (path: String) throws(LookError) in
            guard path == "grade.cube" else { throw LookError("cannot read \(path)") }
            return Self.table
        }
    }

    static let evening = """
        # Slide, and warm.
        rawmill-look: 1
        name: evening
        version: 2
        summary: 'Slide, a little "brown": häuser \\ 1.'
        steps:
          - look: velvet
            push: 0.5
            grain: 1e-1
          - effect: ciSepiaTone
            intensity: 0.3
          - {effect: CIColorMatrix, R: [1, 0.1, 0], strength: .5}
          - table: grade.cube
            input-space: rec709

        """

    @Test("A user's file becomes one file with its tables, which is read as the same look")
    func whole() throws {
        let bytes = try whole(Self.evening)
        let definition = try LookDefinition(bytes)
        #expect(definition.bytes == bytes)
        #expect(definition.steps.count == 4 && definition.version == 2)
        #expect(definition.summary == "Slide, a little \"brown\": häuser \\ 1.")
        #expect(definition.steps[0].material == .look("velvet@1"))
        #expect(definition.steps[0].parameters == ["push": [0.5], "grain": [0.1]])
        #expect(definition.steps[2].parameters == ["R": [1, 0.1, 0], "strength": [0.5]])
        #expect(definition.steps[3].material == .table(Self.table, .rec709))
        let look = try Look(file: bytes, fileName: "x")
        #expect(look.identifier == "evening@2" && look.hasOwnVersion)
        #expect(
            try whole(String(decoding: bytes, as: UTF8.self)) == bytes, "the canonical form is also a valid user's file"
        )
    }

    @Test("Name, version and summary can be given beside the file, and are part of the look")
    func changes() throws {
        let changed = try whole(Self.evening, .init(name: "dusk", version: 3, summary: "Other."))
        let look = try Look(file: changed, fileName: "x")
        #expect(look.identifier == "dusk@3" && look.summary == "Other.")
        #expect(try look.digest != Look(file: whole(Self.evening), fileName: "x").digest)
        let plain = try Look(file: whole("rawmill-look: 1\nname: a\nsteps: [{look: mono}]\n"), fileName: "x")
        #expect(!plain.hasOwnVersion && plain.version == 1)
    }

    @Test("Comments, a byte order mark, CRLF and a document's begin are accepted; tables are not taken for looks")
    func recognised() throws {
        for text in [
            "\u{FEFF}# a\r\n\r\nrawmill-look: 1\r\nname: a\r\nsteps:\r\n  - look: mono\r\n",
            "---\nrawmill-look: 1\nname: a\nsteps: [{look: mono}]\n",
            "  # indented\nrawmill-look: 1\nname: a\nsteps: [{look: mono}]",
        ] {
            #expect(LookFile.isDefinition(Array(text.utf8)))
            #expect(throws: Never.self, "\(text)") { try whole(text) }
        }
        for text in ["", "# cube\nTITLE \"rawmill-look: 1\"\n", "LUT_3D_SIZE 2\nrawmill-look: 1"] {
            #expect(!LookFile.isDefinition(Array(text.utf8)))
        }
    }

    @Test(
        "An error is reported with line and column",
        arguments: [
            ("rawmill-look: 2\nname: a\nsteps: [{look: mono}]", "line 1, column 15: rawmill-look is \"2\""),
            ("rawmill-look: 1\nname: Ab\nsteps: [{look: mono}]", "line 2, column 7: a name has 1 to 64"),
            ("rawmill-look: 1\nsteps: [{look: mono}]", "it has no name"),
            ("rawmill-look: 1\nname: a", "it has no steps"),
            ("rawmill-look: 1\nname: a\nsteps: mono", "line 3, column 8: steps are a list"),
            ("rawmill-look: 1\nname: a\nversion: 0\nsteps: [{look: mono}]", "line 3, column 10: a version is"),
            ("rawmill-look: 1\nname: a\nfilm: x\nsteps: [{look: mono}]", "line 3, column 1: a look has no \"film\""),
            ("rawmill-look: 1\nname: a\nsteps:\n  - look: nothing", "line 4, column 11: there is no look \"nothing\""),
            ("rawmill-look: 1\nname: a\nsteps:\n  - effect: CIGlow", "line 4, column 13: there is no effect"),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - look: mono\n    effect: CISepiaTone",
                "line 4, column 5: a step is one"
            ),
            ("rawmill-look: 1\nname: a\nsteps:\n  - strength: 1", "line 4, column 5: a step begins with"),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - look: velvet\n    push: much",
                "line 5, column 11: \"push\" is a number"
            ),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - look: velvet\n    push: .nan",
                "line 5, column 11: \"push\" is a number"
            ),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - look: velvet\n    push: 9",
                "line 5, column 5: a film's push is from"
            ),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - look: velvet\n    grain: 1\n    psuh: 1",
                "line 6, column 5: a film has no parameter psuh"
            ),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - effect: CISepiaTone\n    strength: 2",
                "line 5, column 5: a step's strength"
            ),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - effect: CIColorInvert\n    angle: 2",
                "line 5, column 5: CIColorInvert has no parameter angle; it has strength"
            ),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - look: mono\n    push: 1",
                "line 5, column 5: mono@1 has no parameter push, only strength"
            ),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - look: mono\n  - look: velvet",
                "line 5, column 5: a film comes first"
            ),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - look: mono\n    input-space: srgb",
                "line 5, column 5: only a table"
            ),
            ("rawmill-look: 1\nname: a\nsteps:\n  - table: other.cube", "line 4, column 12: cannot read other.cube"),
            (
                "rawmill-look: 1\nname: a\nsteps:\n  - table: grade.cube\n    input-space: log",
                "line 5, column 18: there is no input-space"
            ),
            ("rawmill-look: 1\nname: a\nsteps:\n  - table: {bytes: 9}", "line 4, column 12: its table is cut off"),
            ("rawmill-look: 1\nname: a\nname: b\nsteps: [{look: mono}]", "line 3, column 1: duplicate key name"),
            ("rawmill-look: 1\nname: &a [*a]\nsteps: [{look: mono}]", "line 2"),
            ("rawmill-look: 1\nname: a\n\tsteps: [", "not valid YAML"),
            (
                "rawmill-look: 1\nname: a\nsteps: [\(Array(repeating: "{look: mono}", count: 33).joined(separator: ","))]",
                "at most 32 steps"
            ),
        ])
    func mistakes(text: String, problem: String) throws {
        let error = #expect(throws: LookError.self) { try whole(text) }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "none")")
    }

    @Test("Truncated or changed anywhere, a file is read or refused, and its form stays canonical")
    func damage() throws {
        let bytes = try whole(Self.evening)
        for end in 0..<bytes.count { #expect(throws: LookError.self) { try LookDefinition(Array(bytes[..<end])) } }
        var generator = SeededGenerator()
        for _ in 0..<2000 {
            var changed = bytes
            changed[Int.random(in: changed.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            if let definition = try? LookDefinition(changed) { #expect(definition.bytes == changed) }
            _ = try? whole(String(decoding: changed, as: UTF8.self))
        }
    }
}
