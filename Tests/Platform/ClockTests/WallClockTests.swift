import Clock
import Testing

struct WallClockTests {
    @Test("A timestamp is written as RFC 3339, also before 1970 and beyond any calendar")
    func timestamps() {
        #expect(WallClock.text(milliseconds: 1_714_567_896_007) == "2024-05-01T12:51:36.007Z")
        #expect(WallClock.text(milliseconds: -1) == "1969-12-31T23:59:59.999Z")
        #expect(WallClock.text(milliseconds: -1000) == "1969-12-31T23:59:59.000Z")
        #expect(WallClock.text(milliseconds: .min).hasSuffix(".192Z"))
        #expect(WallClock.text(milliseconds: .max).hasSuffix(".807Z"))
    }

    @Test("The time since a timestamp never overflows, and a future timestamp gives 0")
    func elapsed() {
        #expect(WallClock.elapsed(since: 40, now: 100) == 60)
        #expect(WallClock.elapsed(since: 101, now: 100) == 0)
        #expect(WallClock.elapsed(since: .min, now: 100) == .max)
        #expect(WallClock.elapsed(since: .max, now: -100) == 0)
    }

    @Test("Milliseconds and nanoseconds come from the same clock, which a test can replace")
    func injected() {
        let clock = WallClock { 1_714_567_896_007_999_999 }
        #expect(clock.milliseconds == 1_714_567_896_007)
        #expect(clock.nanoseconds == 1_714_567_896_007_999_999)
        #expect(WallClock.milliseconds > 1_700_000_000_000)
    }
}
