import Broker
import Testing

@Suite("WakeSignal")
struct DoorbellTests {
    @Test("A ring ends a wait, also one that came before it")
    func waits() async {
        let bell = WakeSignal()
        let before = bell.rings
        let waiting = Task { await bell.wait(beyond: before, limit: .seconds(600)) }
        bell.ring()
        await waiting.value
        await bell.wait(beyond: before, limit: .seconds(600))
        #expect(bell.rings == before + 1)
    }

    @Test("A wait without a ring ends at its limit")
    func limit() async {
        let bell = WakeSignal()
        let start = ContinuousClock.now
        await bell.wait(beyond: bell.rings, limit: .milliseconds(50))
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test("A ring cancels what runs until then, also one that came before it; so does the task's end")
    func interrupts() async throws {
        let bell = WakeSignal()
        let before = bell.rings
        func sleeper() -> Task<Void, any Error> {
            Task { try await bell.interrupting(beyond: before) { try await Task.sleep(for: .seconds(600)) } }
        }
        let cancelled = sleeper()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let rung = sleeper()
        bell.ring()
        await #expect(throws: CancellationError.self) { try await rung.value }
        await #expect(throws: CancellationError.self) { try await sleeper().value }
    }

    @Test("What ends before a ring gives its result")
    func results() async throws {
        let bell = WakeSignal()
        #expect(try await bell.interrupting(beyond: bell.rings) { 7 } == 7)
        bell.ring()
    }
}
