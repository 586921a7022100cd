import Telemetry
import Testing

struct TextTests {
    @Test("Control characters in names cannot steer a terminal")
    func printable() {
        #expect(Printable.text("plain é 写真") == "plain é 写真")
        #expect(Printable.text("a\u{1B}[2Jb\nc") == #"a\x1b[2Jb\x0ac"#)
        #expect(Printable.text("x\u{202E}gpj") == #"x\u{202e}gpj"#)
        #expect(Printable.text([0x61, 0xFE]) == "a\u{FFFD}")
    }

    @Test(
        "Numbers for people are rounded and have a point",
        arguments: [
            (0.0, 1, "0.0"), (2.449, 2, "2.45"), (-0.04, 1, "0.0"), (-1.25, 1, "-1.3"), (99.999, 2, "100.00"),
            (7, 0, "7"), (.nan, 1, "–"), (1.05, 3, "1.050"),
        ])
    func decimals(number: Double, places: Int, expected: String) {
        #expect(Numeral.text(number, places: places) == expected)
    }

    @Test(
        "Byte counts read as people write them",
        arguments: [
            (UInt64(0), "0 bytes"), (999, "999 bytes"), (1000, "1.0 kB"), (999_960, "1.0 MB"), (4_100_000, "4.1 MB"),
        ])
    func byteCounts(count: UInt64, expected: String) {
        #expect(Numeral.bytes(count) == expected)
    }

    @Test(
        "Durations read as people say them",
        arguments: [
            (Duration.milliseconds(850), "850 ms"), (.seconds(12.9), "12 s"), (.seconds(200), "3 min 20 s"),
            (.seconds(7500), "2 h 05 min"), (.seconds(367_200), "4 d 06 h"),
        ])
    func durations(duration: Duration, expected: String) {
        #expect(duration.spoken == expected)
    }

    @Test("Time stamps are RFC 3339, before 1970 as well")
    func stamps() {
        #expect(WallClock.text(milliseconds: 1_714_567_896_007) == "2024-05-01T12:51:36.007Z")
        #expect(WallClock.text(milliseconds: -1) == "1969-12-31T23:59:59.999Z")
        #expect(WallClock.text(milliseconds: -1000) == "1969-12-31T23:59:59.000Z")
        #expect(WallClock.text(milliseconds: .min).hasSuffix(".192Z"))
        #expect(WallClock.text(milliseconds: .max).hasSuffix(".807Z"))
        #expect(WallClock.milliseconds > 1_700_000_000_000)
    }

    @Test("The time since a moment is a number, whatever moment somebody told")
    func elapsed() {
        #expect(WallClock.elapsed(since: 40, now: 100) == 60)
        #expect(WallClock.elapsed(since: 101, now: 100) == 0)
        #expect(WallClock.elapsed(since: .min, now: 100) == .max)
        #expect(WallClock.elapsed(since: .max, now: -100) == 0)
    }
}
