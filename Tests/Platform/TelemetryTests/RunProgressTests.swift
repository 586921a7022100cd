import Telemetry
import Testing

struct RunProgressTests {
    @Test("The line shows done, total, failures, time left and rate")
    func line() {
        var progress = RunProgress(total: 1000)
        progress.update(done: 20, failed: 10, elapsed: .seconds(6))
        progress.update(done: 40, failed: 10, elapsed: .seconds(10))
        #expect(progress.photosPerSecond == 5)
        #expect(progress.remaining == .seconds(190))
        #expect(
            progress.line(columns: 120)
                == "[#-----------------------] 40 of 1000 photos · 10 failed · 3 min 10 s left · 5.0/s")
    }

    @Test("The first finished photos give a rate but no time left; the next ones give both")
    func oneSample() {
        var progress = RunProgress(total: 100)
        progress.update(done: 1, failed: 0, elapsed: .seconds(10))
        progress.update(done: 1, failed: 0, elapsed: .seconds(11))
        #expect(progress.remaining == nil)
        #expect(progress.line(columns: 30) == "1 of 100 photos · 0.1/s")
        progress.update(done: 1, failed: 1, elapsed: .seconds(20))
        #expect(progress.remaining == .seconds(980))
        #expect(progress.line(columns: 80).contains("16 min 20 s left"))
    }

    @Test("The line never exceeds its columns, and drops the least important parts first", arguments: 18...100)
    func fits(columns: Int) {
        var progress = RunProgress(total: 1000)
        progress.update(done: 500, failed: 3, elapsed: .seconds(60))
        let line = progress.line(columns: columns)
        #expect(line.count <= columns)
        #expect(line.contains("500 of 1000"))
    }

    @Test("The rate follows recent work, not the whole run")
    func window() {
        var progress = RunProgress(total: 100_000)
        for second in 1...100 {
            let done = second <= 50 ? second : 50 + (second - 50) * 10
            progress.update(done: done, failed: 0, elapsed: .seconds(second))
        }
        let rate = progress.photosPerSecond ?? 0
        #expect((9.9...10.1).contains(rate))
    }

    @Test("Without finished photos there is neither rate nor time left; at the end there is no time left")
    func ends() {
        var progress = RunProgress(total: 1)
        #expect(progress.photosPerSecond == nil && progress.remaining == nil)
        #expect(progress.line(columns: 80).contains("0 of 1 photo"))
        progress.update(done: 1, failed: 0, elapsed: .seconds(1))
        #expect(!progress.line(columns: 80).contains("left"))
    }

    @Test("Many updates at one moment keep few samples and give no extreme rate")
    func manyUpdates() {
        var progress = RunProgress(total: 1_000_000)
        for count in 1...10_000 { progress.update(done: count, failed: 0, elapsed: .milliseconds(count)) }
        let rate = progress.photosPerSecond ?? 0
        #expect((990...1010).contains(rate))
    }
}
