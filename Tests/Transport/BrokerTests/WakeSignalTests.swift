import Broker
import Testing

@Suite("A wake signal")
struct WakeSignalTests {
    @Test("ends a wait, also one that begins after it")
    func waits() async {
        let wakeSignal = WakeSignal()
        let before = wakeSignal.signalCount
        let waiting = Task { await wakeSignal.wait(after: before, limit: .seconds(600)) }
        wakeSignal.signal()
        await waiting.value
        await wakeSignal.wait(after: before, limit: .seconds(600))
        #expect(wakeSignal.signalCount == before + 1)
    }

    @Test("that does not come lets a wait end at its limit")
    func limit() async {
        let wakeSignal = WakeSignal()
        let start = ContinuousClock.now
        await wakeSignal.wait(after: wakeSignal.signalCount, limit: .milliseconds(50))
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test("cancels what runs until then, also what begins after it; so does the end of the task")
    func interrupts() async throws {
        let wakeSignal = WakeSignal()
        let before = wakeSignal.signalCount
        func sleeper() -> Task<Void, any Error> {
            Task { try await wakeSignal.interrupting(after: before) { try await Task.sleep(for: .seconds(600)) } }
        }
        let cancelled = sleeper()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let signalled = sleeper()
        wakeSignal.signal()
        await #expect(throws: CancellationError.self) { try await signalled.value }
        await #expect(throws: CancellationError.self) { try await sleeper().value }
    }

    @Test("leaves the result of what has ended before it")
    func results() async throws {
        let wakeSignal = WakeSignal()
        #expect(try await wakeSignal.interrupting(after: wakeSignal.signalCount) { 7 } == 7)
        wakeSignal.signal()
    }
}
