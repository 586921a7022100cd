import Synchronization
import Telemetry
import Testing

/// The cause and duration of a role's waiting.
struct OutageLogTests {
    /// The lines' levels, events and messages.
    private let lines = Lines()
    private let causes = CauseList()
    private var outages: OutageLog {
        OutageLog(Logger(level: .info, sink: lines), end: "it goes on") { [causes] in causes.add($0) }
    }

    private final class CauseList: Sendable {
        private let held = Mutex<[String?]>([])
        var all: [String?] { held.withLock { $0 } }
        func add(_ cause: String?) { held.withLock { $0.append(cause) } }
    }

    private var events: [String] {
        lines.all.map { line in
            line.split(separator: " ").first { $0.hasPrefix("event=") }.map { String($0.dropFirst(6)) } ?? line
        }
    }

    @Test("A cause is written once for any number of occurrences, and again after another")
    func causesAreWrittenOnce() {
        let outages = outages
        for _ in 0..<5 { outages.write(.error, .storageUnavailable, "full") }
        outages.write(.warning, .brokerUnavailable, "away")
        for _ in 0..<5 { outages.write(.error, .storageUnavailable, "full") }
        #expect(events == ["storage.unavailable", "broker.unavailable", "storage.unavailable"])
    }

    @Test("Its end is reported once, with the time since the first cause, and the next outage begins anew")
    func end() throws {
        let outages = outages
        outages.ended()
        #expect(lines.all.isEmpty && causes.all.isEmpty && !outages.isWaiting)
        let start = ContinuousClock.now
        outages.waits(for: nil)
        outages.waits(for: "full")
        #expect(outages.isWaiting)
        outages.write(.error, .storageUnavailable, "full")
        outages.ended(at: .now + .seconds(90))
        outages.ended()
        #expect(events == ["storage.unavailable", "outage.ended"] && causes.all == ["full", nil])
        let line = try #require(lines.all.last)
        let field = try #require(line.split(separator: " ").first { $0.hasPrefix("milliseconds=") })
        let time = try #require(Int(field.dropFirst(13)))
        #expect(time >= 90_000 && .milliseconds(time) <= .seconds(91) + (.now - start))
        #expect(line.contains("level=warning") && line.contains("\"it goes on\""))
        outages.write(.error, .storageUnavailable, "full")
        #expect(events.count == 3)
    }
}
