import Clock
import Foundation
import Synchronization
import Telemetry
import Testing

final class Lines: LineSink {
    private let held = Mutex<[String]>([])
    var all: [String] { held.withLock { $0 } }
    func write(line: String) { held.withLock { $0.append(line) } }
}

struct LoggerTests {
    @Test("A logfmt line has time, level, event, shared fields and its own, in that order")
    func logfmt() {
        let lines = Lines()
        let clock = WallClock { 1_714_567_896_007_000_000 }
        let log = Logger(level: .info, sink: lines, clock: clock).with([.job: "abc"])
        log.info(.jobFailed, [.source: "a b\"c\n", .attempt: 2, .milliseconds: 1.5])
        #expect(
            lines.all == [
                "time=2024-05-01T12:51:36.007Z level=info event=job.failed job=abc "
                    + #"source="a b\"c\n" attempt=2 milliseconds=1.5"#
            ])
    }

    @Test("A JSON line is one object with the same keys")
    func json() throws {
        let lines = Lines()
        Logger(level: .debug, format: .json, sink: lines).debug(.jobStarted, [.path: "ü\u{1B}[31m", .count: 3])
        let object = try #require(JSONSerialization.jsonObject(with: Data(lines.all[0].utf8)) as? [String: Any])
        #expect(object["event"] as? String == "job.started")
        #expect(object["path"] as? String == "ü\u{1B}[31m")
        #expect(object["count"] as? Int == 3)
        #expect(!lines.all[0].utf8.contains(0x1B))
    }

    @Test("Lines below the level are not written, nor are their fields computed")
    func level() {
        let lines = Lines()
        let log = Logger(level: .warning, sink: lines)
        var made = 0
        func field() -> LogValue {
            made += 1
            return "made"
        }
        log.info(.jobStarted, [.message: field()])
        log.error(.jobFailed, [.message: field()])
        #expect(lines.all.count == 1 && made == 1)
    }

    @Test("Names of events and keys are well formed and unique")
    func names() {
        let allowed = Set("abcdefghijklmnopqrstuvwxyz.-_")
        let names = Event.allCases.map(\.rawValue) + Key.allCases.map(\.rawValue)
        #expect(names.allSatisfy { $0.allSatisfy(allowed.contains) })
        #expect(Set(Event.allCases.map(\.rawValue)).count == Event.allCases.count)
        #expect(Set(Key.allCases.map(\.rawValue)).isDisjoint(with: ["time", "level", "event"]))
    }
}
