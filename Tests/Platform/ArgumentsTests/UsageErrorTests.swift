import Arguments
import Testing

struct UsageErrorTests {
    private let good = ["convert", "a", "--library", "l"]

    @Test(
        "Every error states the cause and the remedy",
        arguments: [
            (["--qualty", "3"], "--qualty is not an option here. Did you mean --quality?"),
            (["--long"], "--long is not an option here. Did you mean --long-edge?"),
            (["--xyzzy"], "--xyzzy is not an option here."),
            (["-x"], "-x is not an option here."),
            (["--quality"], "--quality needs a value: --quality N."),
            (
                ["--long-edge", "--dry-run"],
                "--long-edge needs a value: --long-edge PX. If it begins with a dash, write --long-edge=--dry-run."
            ),
            (["--quality", "0"], "--quality must be a whole number from 1 to 100, not \"0\"."),
            (["--quality=9x"], "--quality must be a whole number from 1 to 100, not \"9x\"."),
            (["--exposure", "nan"], "--exposure must be a number, not \"nan\"."),
            (["--colour", "blue"], "--colour must be one of red, green, not \"blue\"."),
            (["--dry-run=yes"], "--dry-run is a switch and takes no value."),
            (["--library="], "--library must be a path, and not empty, not \"\"."),
        ])
    func complaints(line: [String], expected: String) {
        #expect(Mill.complaint(good + line) == expected)
    }

    @Test("A missing value is named, with how to give it")
    func missing() {
        #expect(Mill.complaint(["convert", "a"]) == "--library is missing: give --library DIR, or set MILL_LIBRARY.")
        #expect(Mill.complaint(["convert", "--library", "l"]) == "SOURCE… is missing.")
        #expect(Mill.complaint(["looks", "show", "a", "b"]) == "Unexpected argument \"b\".")
    }

    @Test("A misspelt command is recognised; hidden ones are not suggested")
    func commands() {
        #expect(Mill.complaint(["convrt"]) == "\"convrt\" is not a command. Did you mean convert?")
        #expect(Mill.complaint(["looks", "lsit"]) == "\"lsit\" is not a command. Did you mean list?")
        #expect(Mill.complaint(["zzz"]) == "\"zzz\" is not a command.")
        #expect(Mill.complaint(["engin"])?.contains("engine") == false)
    }

    @Test("A bad value from the environment names the variable")
    func environment() throws {
        let option: Parameter<UInt32> = .option("n", "N", default: 1, environment: "MILL_N", help: "A number.")
        let program = Program(Command("mill", summary: "", parameters: [option]) { _ in 0 }, version: "1")
        let error = #expect(throws: UsageError.self) { try program.parse([]) { _ in Array("x".utf8) } }
        #expect(error?.description == "MILL_N must be a whole number from 0 to 4294967295, not \"x\".")
    }

    @Test("The error names its command")
    func place() {
        let error = #expect(throws: UsageError.self) { try Mill.parse(["looks", "show"]) }
        #expect(error?.command == ["mill", "looks", "show"])
    }
}
