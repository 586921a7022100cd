import Testing

@testable import Looks

@Suite("Cube files from various programs")
struct CubeErrorTests {
    private static let rows = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)" }
    private static let identity = "LUT_3D_SIZE 2\n" + rows.joined(separator: "\n") + "\n"

    @Test(
        "Byte order mark, line ends, tabs, case, comments, exponents and ranges give the same table",
        arguments: [
            "\u{FEFF}" + identity, identity.split(separator: "\n").joined(separator: "\r\n"),
            identity.split(separator: "\n").joined(separator: "\r"),
            identity.lowercased().split(separator: " ").joined(separator: "\t"),
            "# a comment\nTITLE \"two # words\"\n\n" + identity + "\n# the end",
            "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n" + identity, "LUT_3D_INPUT_RANGE 0.0 1.0\n" + identity,
            "LUT_3D_SIZE 2\n"
                + rows.joined(separator: "\n").split(separator: "1", omittingEmptySubsequences: false).joined(
                    separator: "+10.0e-1"),
        ])
    func forms(text: String) throws {
        #expect(try LookupTable(cube: Array(text.utf8)) == LookupTable(cube: Array(Self.identity.utf8)))
    }

    @Test(
        "An error names its line",
        arguments: [
            ("LUT_3D_SIZE 2\n0 0 0\n0 zero 0\n", 3), ("LUT_3D_SIZE 1\n", 1), ("LUT_3D_SIZE 257\n", 1),
            ("\n\nLUT_3D_SIZE many\n", 3), ("0 0 0\n", 1), ("LUT_3D_SIZE 2\n0 0\n", 2),
            ("LUT_3D_SIZE 2\n0 0 nan\n", 2), ("LUT_3D_SIZE 2\n0 0 1e99\n", 2), ("LUT_3D_SIZE 2\n0 0 0 0\n", 2),
            ("LUT_3D_SIZE 2\n0 0 0\nTITLE late\n", 3), ("LUT_IN_VIDEO_RANGE\n", 1), (identity + "0 0 0\n", 10),
            ("LUT_3D_SIZE 2\n0 0 0\n", 2), ("TITLE nothing\n", 1), ("LUT_1D_SIZE 65537\n", 1),
        ])
    func errors(text: String, line: Int) throws {
        let error = #expect(throws: CubeError.self) { try LookupTable(cube: Array(text.utf8)) }
        #expect(error?.line == line)
        #expect(error?.remedy.isEmpty == false)
    }

    @Test("A domain without width and an empty file are refused")
    func hollow() {
        #expect(throws: CubeError.self) { try LookupTable(cube: Array(("DOMAIN_MAX 0 1 1\n" + Self.identity).utf8)) }
        #expect(throws: CubeError.self) { try LookupTable(cube: []) }
    }

    @Test("Damaged files give a table or an error, never a trap")
    func garbage() throws {
        var state: UInt64 = 5
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<3000 {
            var bytes = Array(Self.identity.utf8)
            for _ in 0...random(6) {
                switch random(3) {
                case 0: bytes[random(bytes.count)] = UInt8(random(256))
                case 1: bytes.remove(at: random(bytes.count))
                default: bytes.insert(UInt8(random(256)), at: random(bytes.count))
                }
            }
            if let look = try? Look(file: bytes, fileName: "damaged.cube") {
                #expect(try CubeTests.apply(look, (0.3, -2, .nan)).allSatisfy { !$0.isNaN })
            }
        }
    }

    @Test("A one-dimensional table before a three-dimensional one is applied first, each with its own range")
    func shaper() throws {
        let text = """
            LUT_1D_SIZE 3
            LUT_1D_INPUT_RANGE 0 4
            LUT_3D_SIZE 2
            0 0 0
            0.5 0.5 0.5
            1 1 1

            """ + Self.rows.joined(separator: "\n")
        #expect(try CubeTests.apply(text, (2, 4, 1)) == [0.5, 1, 0.25])
        #expect(try CubeTests.apply(text, (-1, 9, 0)) == [0, 1, 0])
    }

    @Test("A one-dimensional table maps each channel by its own column")
    func curves() throws {
        let text = "LUT_1D_SIZE 2\n0 1 0.5\n1 0 0.5\n"
        #expect(try CubeTests.apply(text, (0.25, 0.25, 0.25)) == [0.25, 0.75, 0.5])
    }
}
