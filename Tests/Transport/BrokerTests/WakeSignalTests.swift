import Broker
import Testing

@Suite("A wake signal")
struct WakeSignalTests {
    @Test("A signal ends a wait, even one that begins after the signal")
    func waits() async {
        let wakeSignal = WakeSignal()
        let before = wakeSignal.signalCount
        let waiting = Task { await wakeSignal.wait(after: before, limit: .seconds(600)) }
        wakeSignal.signal()
        await waiting.value
        await wakeSignal.wait(after: before, limit: .seconds(600))
        #expect(wakeSignal.signalCount == before + 1)
    }

    @Test("Without a signal, a wait ends at its limit")
    func limit() async {
        let wakeSignal = WakeSignal()
        let start = ContinuousClock.now
        await wakeSignal.wait(after: wakeSignal.signalCount, limit: .milliseconds(50))
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test("Cancelling the task ends a wait that heeds it, before it begins and later", arguments: [false, true])
    func cancelled(isWaiting: Bool) async {
        let wakeSignal = WakeSignal()
        let waiting = Task { await wakeSignal.waitUnlessCancelled(after: wakeSignal.signalCount) }
        if isWaiting { try? await Task.sleep(for: .milliseconds(20)) }
        waiting.cancel()
        await waiting.value
        #expect(wakeSignal.signalCount == 0)
    }

    @Test("A signal cancels an interruptible body, even one that begins later, and so does cancelling the task")
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

    @Test("A body that ends before the signal returns its result")
    func results() async throws {
        let wakeSignal = WakeSignal()
        #expect(try await wakeSignal.interrupting(after: wakeSignal.signalCount) { 7 } == 7)
        wakeSignal.signal()
    }
}
