import Testing

@testable import Worker

/// Consequences of starts without an end.
@Suite struct ProbationTests {
    @Test("A job without open starts runs at once, beside others")
    func none() { #expect(!Probation.none.runsAlone && Probation.none.uptimeMilliseconds == 0) }

    @Test("After the first open start a job runs alone; from the second on, its worker must be up ever longer")
    func longer() {
        let uptimes = (1...7).map { Probation(openStarts: $0).uptimeMilliseconds }
        #expect(uptimes == [0, 1000, 3000, 9000, 27_000, 27_000, 27_000])
        #expect((1...7).allSatisfy { Probation(openStarts: $0).runsAlone })
        #expect(Probation(openStarts: .max).uptimeMilliseconds == 27_000)
    }

    @Test("A worker that is killed within five seconds, however often, never blames a job")
    func kills() {
        // It begins a job only if it is up long enough, and ends 5 s after its start, with the job in hand.
        var openStarts: UInt32 = 0
        for _ in 0..<1000 where Probation(openStarts: openStarts).uptimeMilliseconds < 5000 { openStarts += 1 }
        #expect(openStarts < WorkerSettings(slots: 1).maxStarts)
    }
}
