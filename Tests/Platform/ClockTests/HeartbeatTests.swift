import Clock
import Testing

struct HeartbeatTests {
    @Test("A loop that is late is overdue, by name, until its next turn")
    func overdue() {
        let heartbeat = Heartbeat(limit: .zero)
        #expect(heartbeat.overdue == nil, "nothing has begun")
        heartbeat.beat("merge")
        #expect(heartbeat.overdue?.loop == "merge")
        heartbeat.beat("merge", extra: .seconds(60))
        #expect(heartbeat.overdue == nil)
    }

    @Test("A loop that waits for work is not overdue, and another one still is")
    func rest() {
        let heartbeat = Heartbeat(limit: .zero)
        heartbeat.beat("slot 0")
        heartbeat.beat("commit")
        heartbeat.rest("slot 0")
        #expect(heartbeat.overdue?.loop == "commit")
        heartbeat.rest("commit")
        #expect(heartbeat.overdue == nil)
    }

    @Test("The longest overdue loop is named first, in a sentence")
    func words() {
        let heartbeat = Heartbeat(limit: .zero)
        heartbeat.beat("commit", extra: .seconds(-200))
        heartbeat.beat("results", extra: .seconds(-100))
        #expect(heartbeat.overdue.map { "\($0)" } == "hangs: \"commit\" is 3 min 20 s overdue")
    }
}
