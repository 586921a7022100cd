import Arguments
import Testing

struct ParserTests {
    @Test(
        "All ways to write an option's value are equivalent",
        arguments: [
            ["--jobs", "4"], ["--jobs=4"], ["-j", "4"], ["-j4"], ["-j=4"], ["-nj4"], ["-nvj", "4"], ["-vj=4"],
        ])
    func spellings(option: [String]) throws {
        for line in [["convert"] + option + ["a", "--library", "l"], ["convert", "a", "--library=l"] + option] {
            #expect(try Mill.values(line)[Mill.jobs] == 4)
        }
    }

    @Test("A missing option has its default, nil or false")
    func defaults() throws {
        let values = try Mill.values(["convert", "a", "--library", "l"])
        #expect(values[Mill.quality] == 92 && values[Mill.exposure] == 0 && values[Mill.colour] == .red)
        #expect(values[Mill.edge] == nil && values[Mill.jobs] == nil)
        #expect(!values[Mill.dry] && !values[Mill.verbose])
        #expect(values.command == ["mill", "convert"])
    }

    @Test("Positional arguments keep their order around options, and everything after -- is positional")
    func words() throws {
        let values = try Mill.values(["convert", "a", "-n", "b", "--library", "l", "--", "--quality", "-x"])
        #expect(values[Mill.sources].map(\.description) == ["a", "b", "--quality", "-x"])
        #expect(values[Mill.dry])
    }

    @Test("A lone dash is positional, and a negative number is a value or positional")
    func dashes() throws {
        let values = try Mill.values(["convert", "-", "-7", "-.5", "--exposure", "-1.5", "--library", "l"])
        #expect(values[Mill.sources].map(\.description) == ["-", "-7", "-.5"])
        #expect(values[Mill.exposure] == -1.5)
    }

    @Test("The last of repeated options counts")
    func twice() throws {
        let values = try Mill.values(["convert", "a", "--library", "l", "--quality", "1", "--quality=2"])
        #expect(values[Mill.quality] == 2)
    }

    @Test("File names that are not UTF-8 are passed byte for byte")
    func bytes() throws {
        let line: [[UInt8]] = [Array("convert".utf8), [0x61, 0xFF, 0x2F], Array("--library=".utf8) + [0xFE]]
        guard case .run(_, let values) = try Mill.program.parse(line) else { throw Mill.Unexpected() }
        #expect(values[Mill.sources].map(\.bytes) == [[0x61, 0xFF, 0x2F]])
        #expect(values[Mill.library].bytes == [0xFE])
    }

    @Test("The environment replaces a missing option, and only then")
    func environment() throws {
        let variables = ["MILL_LIBRARY": "e"]
        #expect(try Mill.values(["convert", "a"], environment: variables)[Mill.library].description == "e")
        let given = try Mill.values(["convert", "a", "--library", "l"], environment: variables)
        #expect(given[Mill.library].description == "l")
        #expect(Mill.complaint(["convert", "a"], environment: ["MILL_LIBRARY": ""])?.contains("is missing") == true)
    }

    @Test("Shared options may stand before the command and after it")
    func shared() throws {
        #expect(try Mill.values(["-v", "looks", "list"])[Mill.verbose])
        #expect(try Mill.values(["looks", "--verbose", "list"])[Mill.verbose])
        #expect(try Mill.values(["looks", "list", "-v"])[Mill.verbose])
    }

    @Test("Commands are found along their path, hidden ones included")
    func commands() async throws {
        for (line, status) in [(["looks", "list"], Int32(1)), (["looks", "show", "x"], 2), (["engine"], 3)] {
            guard case .run(let action, let values) = try Mill.parse(line) else { throw Mill.Unexpected() }
            #expect(try await action(values) == status)
        }
    }

    @Test("Help and version work even if the rest of the line is incomplete")
    func helpAndVersion() throws {
        for line in [
            ["--help"], ["-h"], ["convert", "--help"], ["convert", "-nh"], ["looks", "-h"], ["convert", "x", "-h"],
        ] {
            guard case .help = try Mill.parse(line) else { throw Mill.Unexpected() }
        }
        guard case .version = try Mill.parse(["--version"]) else { throw Mill.Unexpected() }
    }

    @Test("Any bytes give a result or an error without terminal controls", arguments: 0..<200)
    func anything(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % limit)
        }
        let pieces = [
            "convert", "looks", "--", "-", "--quality", "--library=", "-j", "=", "--x", "\u{1B}", "", "-9", "é",
        ]
        let line = (0..<next(6)).map { _ in
            (0..<next(3)).flatMap { _ in Array(pieces[next(UInt64(pieces.count))].utf8) } + [UInt8(next(255) + 1)]
        }
        do throws(UsageError) {
            _ = try Mill.program.parse(line)
        } catch {
            #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 })
            #expect(error.description.last == "." || error.description.last == "?")
        }
    }
}
