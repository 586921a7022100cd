import ColourScience
import PictureFormat
import Pixels
import Testing

@testable import Looks

@Suite("Input colours of tables")
struct TableSpaceTests {
    private static let identity = "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"

    private static func look(_ text: String, _ space: TableSpace) throws -> Look {
        try Look(
            file: LookFile.whole(table: Array(text.utf8), name: "x", version: 1, summary: "x", space: space),
            fileName: "x")
    }

    @Test("An identity stays one in every display space", arguments: TableSpace.allCases.filter { !$0.isScene })
    func identity(space: TableSpace) throws {
        let look = try Self.look(Self.identity, space)
        for colour: (Float, Float, Float) in [(0, 0, 0), (1, 1, 1), (0.5, 0.5, 0.5), (0.9, 0.2, 0.4), (0, 0.01, 1)] {
            let result = CubeTests.apply(look.stage(), colour)
            for (a, b) in zip(result, [colour.0, colour.1, colour.2]) { #expect(abs(a - b) < 2e-4, "\(result)") }
        }
    }

    @Test("A table's numbers are light of its space: half of Rec. 709 is 0.5 to the power of 2.4")
    func halves() throws {
        let text = "LUT_1D_SIZE 2\n0.5 0.5 0.5\n0.5 0.5 0.5\n"
        let lights: [TableSpace: Double] = [
            .sRGB: 0.214041, .rec709: 0.189465, .displayP3: 0.214041, .adobeRGB: 0.217755, .linear: 0.5,
        ]
        for (space, light) in lights {
            let result = CubeTests.apply(try Self.look(text, space).stage(), (0.1, 0.7, 0.3))
            let expected = Float(TransferFunction.encode(light, .sRGB))
            for value in result { #expect(abs(value - expected) < 1e-4, "\(space): \(result), not \(expected)") }
        }
    }

    /// From colour-science 0.4.7, with the makers' formulas.
    @Test("Cameras' logarithms follow their makers' formulas")
    func logarithms() {
        let light = SIMD8(0, 0.005, 0.18, 1, 3, 0, 0, 0)
        for (log, codes) in [
            (LogEncoding.logC3, [0.092809, 0.119647275, 0.391006832, 0.570631558, 0.687901968]),
            (.sLog3, [0.092864125, 0.125973844, 0.410557185, 0.596027344, 0.717254225]),
            (.vLog, [0.125, 0.153, 0.423311449, 0.599117700, 0.713742244]),
        ] {
            let found = log.encode(light)
            for (i, code) in codes.enumerated() { #expect(abs(found[i] - code) < 1e-8, "\(i): \(found[i])") }
        }
    }

    /// From colour-science 0.4.7, with the makers' formulas; it has no Cineon of light below 0.
    @Test("Logarithms follow their makers' formulas below black")
    func moreLogarithms() {
        let light = SIMD8(-0.02, -0.005, 0, 0.005, 0.18, 1, 3, 0)
        for (log, codes) in [
            (
                LogEncoding.logC4,
                [-0.017104328, 0.074953522, 0.092864125, 0.10788866, 0.278395837, 0.427519365, 0.528464054]
            ),
            (.canonLog2, [-0.020017471, 0.0514948, 0.092864125, 0.13423345, 0.398254693, 0.573229279, 0.687670487]),
            (.canonLog3, [0.081997488, 0.114147302, 0.12512219, 0.136097078, 0.34338937, 0.580277794, 0.749367307]),
            (.acesCCT, [-0.137899221, 0.020204345, 0.072905534, 0.125606723, 0.413588402, 0.554794521, 0.645260417]),
            (.acesCG, [-0.02, -0.005, 0, 0.005, 0.18, 1, 3]),
            (
                .daVinciIntermediate,
                [-0.208885371, -0.052221343, 0, 0.049697572, 0.336043272, 0.513837441, 0.629477209]
            ),
        ] {
            let found = log.encode(light)
            for (i, code) in codes.enumerated() { #expect(abs(found[i] - code) < 2e-8, "\(i): \(found[i])") }
        }
        let cineon = LogEncoding.cineon.encode(light)
        for (i, code) in [0.092864125, 0.140892045, 0.457319613, 0.669599218, 0.808597364].enumerated() {
            #expect(abs(cineon[i + 2] - code) < 1e-8, "\(i): \(cineon[i + 2])")
        }
        #expect(cineon[1] < cineon[2] && cineon[0] < cineon[1])
    }

    @Test("Cameras' primaries are those of their makers")
    func primaries() {
        for (log, matrix) in [
            (
                LogEncoding.logC3,
                [1.012798, -0.074045, 0.061246, -0.040722, 0.859682, 0.18104, -0.004825, 0.074489, 0.930334]
            ),
            (.sLog3, [1.038144, -0.095453, 0.057309, 0.047949, 0.793862, 0.158189, 0.030132, 0.040886, 0.928982]),
            (.vLog, [0.929855, 0.012366, 0.057779, 0.026563, 0.872136, 0.101301, 0.00796, 0.029203, 0.962836]),
            (.logC4, [0.895475, 0.043615, 0.06091, 0.044506, 0.854567, 0.100927, 0, 0.025777, 0.974223]),
            (.canonLog3, [0.880414, 0.034568, 0.085018, 0.039597, 0.793604, 0.166799, 0.013393, 0.161831, 0.824775]),
            (.acesCCT, [0.974895, 0.019599, 0.005506, 0.00218, 0.995535, 0.002285, 0.004797, 0.024532, 0.970671]),
            (
                .daVinciIntermediate,
                [0.892112, 0.024369, 0.083519, 0.032617, 0.786138, 0.181246, 0.069977, 0.104749, 0.825273]
            ),
            (.cineon, [1.660491, -0.587641, -0.07285, -0.12455, 1.1329, -0.008349, -0.018151, -0.100579, 1.11873]),
        ] {
            for (found, expected) in zip(log.fromRec2020, matrix) { #expect(abs(found - expected) < 5e-5) }
        }
    }

    @Test("A table for scene light renders the picture, and mid grey's code gives its colour")
    func scene() throws {
        // White from the code of mid grey on, black below.
        let rows = (0..<1024).map { Float($0) / 1023 < 0.42 ? "0 0 0" : "1 1 1" }
        let look = try Self.look("LUT_1D_SIZE 1024\n" + rows.joined(separator: "\n"), .sLog3)
        #expect(look.input == .sceneLinear)
        let film = try #require(look.stage().film)
        for (light, white) in [(0.17, 0), (0.21, 1)] as [(Float, Float)] {
            var colour = [light, light, light]
            colour.withUnsafeMutableBufferPointer {
                guard let red = $0.baseAddress else { return }
                film.render(PixelRow(red: red, green: red + 1, blue: red + 2, count: 1))
            }
            #expect(abs(colour[0] - white) < 1e-3 && abs(colour[2] - white) < 1e-3, "\(light): \(colour)")
        }
    }

    @Test("Colours mentioned in a name or title are recognised")
    func hints() {
        #expect(TableSpace.hinted(by: "S-Log3 to Rec.709.cube")?.space == .sLog3)
        #expect(TableSpace.hinted(by: "Kodak_V-Log_v2")?.space == .vLog)
        #expect(TableSpace.hinted(by: "arri_LogC3_REC709")?.space == .logC3)
        #expect(TableSpace.hinted(by: "REC.709 warm")?.space == .rec709)
        #expect(TableSpace.hinted(by: "LogC4")?.space == .logC4)
        #expect(TableSpace.hinted(by: "EOS C70 Canon Log 3 to 709")?.space == .canonLog3)
        #expect(TableSpace.hinted(by: "look_C-Log2")?.space == .canonLog2)
        #expect(TableSpace.hinted(by: "DaVinci Intermediate Film Look")?.space == .daVinciIntermediate)
        #expect(TableSpace.hinted(by: "F-Log")?.word == "flog" && TableSpace.hinted(by: "F-Log")?.space == nil)
        #expect(TableSpace.hinted(by: "Warm Print") == nil)
    }
}
