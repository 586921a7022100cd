import Clock
import Synchronization
import Testing

struct StopwatchTests {
    @Test("A stopwatch shows how far its clock has moved since it was created")
    func elapsed() {
        let start = ContinuousClock.now
        let now = Mutex(start)
        let watch = Stopwatch(clock: MonotonicClock { now.withLock { $0 } })
        #expect(watch.elapsed == .zero)
        now.withLock { $0 = start + .microseconds(1_234_567) }
        #expect(watch.elapsed == .microseconds(1_234_567))
        #expect(watch.milliseconds == 1234)
    }

    @Test(
        "A displayed duration has at most two units",
        arguments: [
            (Duration.milliseconds(850), "850 ms"), (.seconds(12.9), "12 s"), (.seconds(200), "3 min 20 s"),
            (.seconds(7500), "2 h 05 min"), (.seconds(367_200), "4 d 06 h"),
        ])
    func spoken(duration: Duration, expected: String) {
        #expect(duration.spoken == expected)
    }

    @Test("A duration converts to whole units, clamped to their range")
    func units() {
        #expect(Duration.microseconds(1999).wholeMilliseconds == 1)
        #expect(Duration.nanoseconds(1999).wholeMicroseconds == 1)
        #expect(Duration.seconds(-1).wholeMicroseconds == 0)
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
        #expect(Duration.seconds(Int64.max).wholeMicroseconds == .max)
        #expect(Duration.milliseconds(1500).seconds == 1.5)
    }
}
