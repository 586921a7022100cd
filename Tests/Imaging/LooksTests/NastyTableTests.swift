import Compression
import PNG
import PictureFormat
import Testing

@testable import Looks

/// Valid and invalid tables from programs and users. Each gives the right colours, or the right error at its line.
@Suite("Tables of all kinds")
struct NastyTableTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        /// The colour of (0.25, 0.5, 0.75).
        var colour: SIMD3<Float>?
        /// Line of the error.
        var line: Int?
        /// A part of the error.
        var problem = ""

        init(_ name: String, _ text: String, colour: SIMD3<Float>) {
            (testDescription, bytes, self.colour) = (name, Array(text.utf8), colour)
        }

        init(_ name: String, _ bytes: [UInt8], colour: SIMD3<Float>) {
            (testDescription, self.bytes, self.colour) = (name, bytes, colour)
        }

        init(_ name: String, _ text: String, line: Int?, _ problem: String) {
            (testDescription, bytes, self.line, self.problem) = (name, Array(text.utf8), line, problem)
        }

        init(_ name: String, _ bytes: [UInt8], _ problem: String) {
            (testDescription, self.bytes, self.problem) = (name, bytes, problem)
        }
    }

    private static let same = SIMD3<Float>(0.25, 0.5, 0.75)
    /// An identity of two points per edge.
    private static let rows = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"
    private static let plain = "LUT_3D_SIZE 2\n" + rows
    private static let curve = "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n"

    static let cubes: [Case] = [
        .init("Plain", plain, colour: same),
        .init("A byte order mark", "\u{FEFF}" + plain, colour: same),
        .init("CRLF", plain.replacing("\n", with: "\r\n"), colour: same),
        .init("CR alone", plain.replacing("\n", with: "\r"), colour: same),
        .init(
            "Line ends of all kinds", "LUT_3D_SIZE 2\r\n\n" + rows.replacing("1 0 0\n", with: "1 0 0\r"), colour: same),
        .init("No line end at the end", String(plain.dropLast()), colour: same),
        .init("Blank lines at the end", plain + "\n\n  \n\t\n", colour: same),
        .init("Tabs", plain.replacing(" ", with: "\t"), colour: same),
        .init("Blanks around", plain.replacing("\n", with: "  \t\n  "), colour: same),
        .init("Lower case", plain.replacing("LUT_3D_SIZE", with: "lut_3d_size"), colour: same),
        .init("Comments between rows", "# a\n" + plain.replacing("0 1 0\n", with: "0 1 0\n# half\n"), colour: same),
        .init("A comment without a blank", "#a\n" + plain, colour: same),
        .init("A title", "TITLE \"a b\"\n" + plain, colour: same),
        .init("A title without marks", "TITLE Warm Print\n" + plain, colour: same),
        .init("A title with marks in it", "TITLE \"a \"b\" c\"\n" + plain, colour: same),
        .init("A title without its second mark", "TITLE \"a\n" + plain, colour: same),
        .init("A title that mentions sizes", "TITLE \"LUT_3D_SIZE 64\"\n" + plain, colour: same),
        .init("A title of numbers", "TITLE 0 0 0\n" + plain, colour: same),
        .init("An empty title", "TITLE\n" + plain, colour: same),
        .init(
            "A title in Latin-1", Array("TITLE \"H".utf8) + [0xE4] + Array("user\"\n".utf8) + Array(plain.utf8),
            colour: same),
        .init("A title with control characters", "TITLE \"\u{1B}[31m\"\n" + plain, colour: same),
        .init("Exponents", plain.replacing("1 1 1", with: "1e0 10E-1 0.01e+2"), colour: same),
        .init("Signs", plain.replacing("1 1 1", with: "+1 +1.0 +1."), colour: same),
        .init("Minus zero", plain.replacing("0 0 0", with: "-0 -0.0 -0e5"), colour: same),
        .init("No digit before the dot", plain.replacing("0 0 0", with: ".0 .00 0."), colour: same),
        .init(
            "Many digits", plain.replacing("1 1 1", with: "1.000000000000000000000000001 0.99999999999999999999 1"),
            colour: same),
        .init("Tiny numbers", plain.replacing("0 0 0", with: "1e-40 1e-300 1e-400"), colour: same),
        .init("A domain", "DOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n" + plain, colour: same),
        .init(
            "A domain from −1 to 1", "DOMAIN_MIN -1 -1 -1\nDOMAIN_MAX 1 1 1\n" + plain,
            colour: SIMD3(0.625, 0.75, 0.875)),
        .init("A domain to 2", "DOMAIN_MAX 2 2 2\n" + plain, colour: SIMD3(0.125, 0.25, 0.375)),
        .init(
            "A separate domain for each channel", "DOMAIN_MIN 0 0 -1\nDOMAIN_MAX 0.5 1 1\n" + plain,
            colour: SIMD3(0.5, 0.5, 0.875)),
        .init(
            "A domain that is left on both sides", "DOMAIN_MIN 0.3 0 0\nDOMAIN_MAX 1 1 0.7\n" + plain,
            colour: SIMD3(0, 0.5, 1)),
        .init("A domain after the size", "LUT_3D_SIZE 2\nDOMAIN_MAX 2 2 2\n" + rows, colour: SIMD3(0.125, 0.25, 0.375)),
        .init(
            "Resolve's range", "LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0.0 2.0\n" + rows, colour: SIMD3(0.125, 0.25, 0.375)),
        .init(
            "Resolve's range of a curve", "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 2\n0 0 0\n1 1 1\n",
            colour: SIMD3(0.125, 0.25, 0.375)),
        .init("A curve", curve, colour: same),
        .init("A curve for each channel", "LUT_1D_SIZE 3\n0 0 1\n1 0.5 0.5\n0 1 0\n", colour: SIMD3(0.5, 0.5, 0.25)),
        .init(
            "Resolve's shaper and table",
            "LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE 0 2\nLUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0 1\n0 0 0\n1 1 1\n" + rows,
            colour: SIMD3(0.125, 0.25, 0.375)),
        .init(
            "A shaper that leaves the table's range", "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n0 0 0\n4 4 4\n" + rows,
            colour: SIMD3(1, 1, 1)),
        .init(
            "The size of the table before that of the shaper", "LUT_3D_SIZE 2\nLUT_1D_SIZE 2\n0 0 0\n.5 .5 .5\n" + rows,
            colour: SIMD3(0.125, 0.25, 0.375)),
        .init("Values outside 0…1", "LUT_1D_SIZE 2\n-1 -1 -1\n2 2 2\n", colour: SIMD3(-0.25, 0.5, 1.25)),
        .init("The largest half", "LUT_1D_SIZE 2\n0 0 0\n65504 65504 65504\n", colour: 65_504 * same),
        .init("A size as a float", plain.replacing("SIZE 2", with: "SIZE 2.0"), colour: same),
        .init("A size that is given twice", "LUT_3D_SIZE 5\n" + plain, colour: same),
        .init(
            "A longer curve",
            "LUT_1D_SIZE 4096\n" + (0..<4096).map { "\(Float($0) / 4095) 0 1" }.joined(separator: "\n"),
            colour: SIMD3(0.25, 0, 1)),
    ]

    static let wrong: [Case] = [
        .init("Nothing", "", line: 1, "no LUT_3D_SIZE"),
        .init("Blanks alone", "\n\n  \n", line: 3, "no LUT_3D_SIZE"),
        .init("No size", rows, line: 1, "before the table's size"),
        .init("A size of 1", plain.replacing("SIZE 2", with: "SIZE 1"), line: 1, "cannot have this size"),
        .init("A size of 0", plain.replacing("SIZE 2", with: "SIZE 0"), line: 1, "cannot have this size"),
        .init("A size below 0", plain.replacing("SIZE 2", with: "SIZE -2"), line: 1, "cannot have this size"),
        .init(
            "A size between whole numbers", plain.replacing("SIZE 2", with: "SIZE 2.5"), line: 1,
            "cannot have this size"),
        .init("A huge size", plain.replacing("SIZE 2", with: "SIZE 257"), line: 1, "cannot have this size"),
        .init(
            "A size beyond integers", plain.replacing("SIZE 2", with: "SIZE 99999999999999999999"), line: 1,
            "not a usable number"),
        .init("An invalid size", plain.replacing("SIZE 2", with: "SIZE nan"), line: 1, "not a usable number"),
        .init("A size without a number", plain.replacing("SIZE 2", with: "SIZE"), line: 1, "expected 1 numbers"),
        .init("A size of two numbers", plain.replacing("SIZE 2", with: "SIZE 2 2"), line: 1, "expected 1 numbers"),
        .init("A curve that is too long", "LUT_1D_SIZE 65537\n", line: 1, "cannot have this size"),
        .init("The largest size without its rows", "LUT_3D_SIZE 256\n0 0 0\n", line: 2, "ends after 1 of 16777216"),
        .init("Cut off after a row", String(plain.dropLast(6)), line: 8, "ends after 7 of 8"),
        .init("Cut off within a row", String(plain.dropLast(3)), line: 9, "expected 3 numbers, found 2"),
        .init("A row too many", plain + "1 1 1\n", line: 10, "more than the 8 rows"),
        .init("A row of two numbers", plain.replacing("1 1 0", with: "1 1"), line: 5, "expected 3 numbers, found 2"),
        .init(
            "A row of four numbers", plain.replacing("1 1 0", with: "1 1 0 1"), line: 5, "expected 3 numbers, found 4"),
        .init("NaN", plain.replacing("1 1 0", with: "1 nan 0"), line: 5, "not a usable number"),
        .init("NaN at the start of a row", plain.replacing("1 1 0", with: "NaN 1 0"), line: 5, "not a usable number"),
        .init("Infinity", plain.replacing("1 1 0", with: "1 inf 0"), line: 5, "not a usable number"),
        .init("Minus infinity", plain.replacing("1 1 0", with: "-Infinity 1 0"), line: 5, "not a usable number"),
        .init("Too large a number", plain.replacing("1 1 0", with: "1 1e39 0"), line: 5, "not a usable number"),
        .init("A decimal comma", plain.replacing("1 1 0", with: "1 0,5 0"), line: 5, "not a usable number"),
        .init("Commas between numbers", plain.replacing("1 1 0", with: "1, 1, 0"), line: 5, "not a usable number"),
        .init("A hexadecimal number", plain.replacing("1 1 0", with: "0x1 1 0"), line: 5, "not a usable number"),
        .init("A word in a row", plain.replacing("1 1 0", with: "1 one 0"), line: 5, "not a usable number"),
        .init(
            "A keyword within the rows", plain.replacing("1 1 0", with: "LUT_3D_SIZE 3"), line: 5,
            "follows the start of the table"),
        .init(
            "A keyword of another format", "LUT_IN_VIDEO_RANGE\n" + plain, line: 1,
            "keyword LUT_IN_VIDEO_RANGE is not known"),
        .init("A domain of nothing", "DOMAIN_MIN 1 1 1\n" + plain, line: nil, "minimum is not below its maximum"),
        .init(
            "A domain the wrong way round", "DOMAIN_MIN 1 0 0\nDOMAIN_MAX 0 1 1\n" + plain, line: nil,
            "minimum is not below"),
        .init("A domain of two numbers", "DOMAIN_MAX 1 1\n" + plain, line: 1, "expected 3 numbers, found 2"),
        .init("A range of three numbers", "LUT_3D_INPUT_RANGE 0 1 1\n" + plain, line: 1, "expected 2 numbers, found 3"),
        .init("A range of nothing", "LUT_3D_INPUT_RANGE 1 1\n" + plain, line: nil, "minimum is not below"),
        .init(
            "A shaper without its table", "LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n0 0 0\n1 1 1\n", line: 4, "ends after 2 of 10"),
        .init("A 3dl file", "0 64 128 192 256\n0 0 0\n", line: 1, "before the table's size"),
        .init("UTF-16", "\u{FF}\u{FE}L\0U\0T\0", line: 1, ""),
        .init("A page of the web", "<!DOCTYPE html>\n<html>\n", line: 1, ""),
        .init("Zero bytes", String(repeating: "\0", count: 300), line: 1, ""),
    ]

    @Test("A cube in any common form gives its colours", arguments: cubes)
    func reads(_ it: Case) throws {
        let look = try Look(file: it.bytes, fileName: "x.cube")
        let result = try CubeTests.apply(look, (0.25, 0.5, 0.75))
        let expected = try #require(it.colour)
        for channel in 0..<3 {
            #expect(abs(result[channel] - expected[channel]) <= max(1, expected.max()) * 1e-6, "\(result)")
        }
    }

    @Test("An invalid cube is refused at its line, with a remedy", arguments: wrong)
    func refuses(_ it: Case) throws {
        let error = #expect(throws: CubeError.self) { try LookupTable(cube: it.bytes) }
        #expect(error?.line == it.line && error?.remedy.isEmpty == false, "\(error?.description ?? "none")")
        #expect(error?.description.contains(it.problem) == true, "\(error?.description ?? "none")")
    }

    // MARK: - Hald pictures

    /// A Hald identity of level 2 in any PNG form.
    private static func hald(
        bits: Int = 8, colour: UInt8 = 2, interlace: UInt8 = 0, alpha: UInt8 = 255, size: Int = 8, before: [UInt8] = [],
        after: [UInt8] = [], pieces: Int = 1, filter: UInt8 = 0
    ) throws -> [UInt8] {
        let values = TableFile.identity(edge: 4)
        var rows: [UInt8] = []
        for y in 0..<size {
            rows.append(filter)
            for x in 0..<size {
                let pixel = (y * size + x) % 64
                if colour == 3 {
                    rows.append(UInt8(pixel))
                    continue
                }
                for channel in 0..<(colour & 2 == 0 ? 1 : 3) {
                    let code = UInt16(values[3 * pixel + channel] * (bits == 8 ? 255 : 65_535) + 0.5)
                    rows += bits == 8 ? [UInt8(code)] : [UInt8(code >> 8), UInt8(code & 255)]
                }
                if colour & 4 != 0 { rows += [UInt8](repeating: alpha, count: bits / 8) }
            }
        }
        let stream = try Deflater.zlib(rows)
        let step = (stream.count + pieces - 1) / pieces
        let data = stride(from: 0, to: stream.count, by: step).flatMap {
            PNGChunk.encoded("IDAT", Array(stream[$0..<min($0 + step, stream.count)]))
        }
        let side = PNGChunk.bytes(UInt32(size))
        return PNGChunk.signature
            + PNGChunk.encoded("IHDR", side + side + [UInt8(bits), colour, 0, 0, interlace])
            + before + data + PNGChunk.encoded("IEND", []) + after
    }

    static func halds() throws -> [Case] {
        let text = PNGChunk.encoded("tEXt", Array("Software\0GIMP".utf8))
        let palette = PNGChunk.encoded("PLTE", TableFile.identity(edge: 4).map { UInt8($0 * 255 + 0.5) })
        return [
            .init("8 bits", try hald(), colour: same),
            .init("16 bits", try hald(bits: 16), colour: same),
            .init("Opaque alpha, as GIMP adds it", try hald(colour: 6), colour: same),
            .init("Opaque alpha of 16 bits", try hald(bits: 16, colour: 6), colour: same),
            .init("In several pieces", try hald(pieces: 7), colour: same),
            .init("With texts", try hald(before: text), colour: same),
            .init(
                "With a gamma and a physical size",
                try hald(
                    before: PNGChunk.encoded("gAMA", [0, 0, 0xB1, 0x8F])
                        + PNGChunk.encoded("pHYs", [0, 0, 0, 1, 0, 0, 0, 1, 0])), colour: same),
            .init("With an ICC profile", try hald(before: PNGChunk.encoded("iCCP", [0x78, 0, 0])), colour: same),
            .init(
                "With a palette, as programs that make files small write it", try hald(colour: 3, before: palette),
                colour: same),
            .init("With something after its end", try hald(after: [1, 2, 3]), colour: same),
        ]
    }

    static func wrongHalds() throws -> [Case] {
        let whole = try hald()
        var damaged = whole
        damaged[60] ^= 1
        return [
            .init(
                "A palette of too few colours", try hald(colour: 3, before: PNGChunk.encoded("PLTE", [1, 2, 3])),
                "damaged"),
            .init("Transparency", try hald(colour: 6, alpha: 254), "transparent"),
            .init(
                "A transparent colour", try hald(before: PNGChunk.encoded("tRNS", [0, 0, 0, 0, 0, 0])), "transparent"),
            .init("Said to be interlaced, and is not", try hald(interlace: 1), "do not hold"),
            .init("Resized", try hald(size: 9), "9 × 9"),
            .init("Level 1", try hald(size: 1), "1 × 1"),
            .init("Cut off", Array(whole.dropLast(20)), "cut off"),
            .init("Without its last chunk", Array(whole.dropLast(12)), "cut off"),
            .init("Damaged", damaged, "damaged"),
            .init("An unknown filter", try hald(filter: 5), "damaged"),
            .init("Its head alone", PNGChunk.signature, "cut off"),
            .init("A JPEG", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16], "a JPEG cannot hold a table"),
            .init("A TIFF", Array("II*\0".utf8) + [8, 0, 0, 0], "save it as PNG"),
        ]
    }

    @Test("Hald pictures of various programs give their colours")
    func readsHalds() throws {
        for it in try Self.halds() {
            let result = try CubeTests.apply(Look(file: it.bytes, fileName: "x.png"), (0.25, 0.5, 0.75))
            for channel in 0..<3 { #expect(abs(result[channel] - Self.same[channel]) < 1e-3, "\(it.testDescription)") }
        }
        let grey = try CubeTests.apply(Look(file: Self.hald(colour: 0), fileName: "x.png"), (0.25, 0.5, 0.75))
        #expect(Set(grey).count == 1, "a grey picture is a table of greys")
    }

    @Test("Other pictures are refused with a remedy")
    func refusesHalds() throws {
        for it in try Self.wrongHalds() {
            let error = #expect(throws: LookError.self) { try Look(file: it.bytes, fileName: "x.png") }
            #expect(error?.description.contains(it.problem) == true, "\(it): \(error?.description ?? "none")")
        }
    }
}
