import Telemetry
import Testing

struct TextTests {
    @Test("Control characters in names cannot control a terminal")
    func printable() {
        #expect(TerminalText.escape("plain é 写真") == "plain é 写真")
        #expect(TerminalText.escape("a\u{1B}[2Jb\nc") == #"a\x1b[2Jb\x0ac"#)
        #expect(TerminalText.escape("x\u{202E}gpj") == #"x\u{202e}gpj"#)
        #expect(TerminalText.escape([0x61, 0xFE]) == "a\u{FFFD}")
    }

    @Test(
        "Displayed numbers are rounded and have a decimal point",
        arguments: [
            (0.0, 1, "0.0"), (2.449, 2, "2.45"), (-0.04, 1, "0.0"), (-1.25, 1, "-1.3"), (99.999, 2, "100.00"),
            (7, 0, "7"), (.nan, 1, "–"), (1.05, 3, "1.050"),
        ])
    func decimals(number: Double, places: Int, expected: String) {
        #expect(NumberText.decimal(number, places: places) == expected)
    }

    @Test(
        "Byte counts are displayed in common notation",
        arguments: [
            (UInt64(0), "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (999_960, "1.0 MB"), (4_100_000, "4.1 MB"),
        ])
    func byteCounts(count: UInt64, expected: String) {
        #expect(NumberText.bytes(count) == expected)
    }
}
