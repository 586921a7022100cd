import Broker
import BrokerConformance
import Clock
import Glibc
import Jobs
import Synchronization
import Testing

@testable import Worker

@Suite("A worker's progress", .timeLimit(.minutes(2))) struct ProgressTests {
    @Test("is missed when a slot hangs, and not while the worker waits for jobs")
    func hangs() async throws {
        let fixture = try await WorkerFixture()
        var settings = fixture.settings
        settings.slots = 1
        settings.deadline = .seconds(1)
        let heartbeat = Heartbeat(limit: .seconds(2))
        let isHeld = Atomic(true)
        let isReady = Atomic(false)
        let worker = try RenderWorker(
            settings: settings, transport: fixture.broker, roots: fixture.roots, heartbeat: heartbeat
        ) { event in
            if case .ready = event { isReady.store(true, ordering: .relaxed) }
            // The slot's own thread.
            guard case .started = event else { return }
            while isHeld.load(ordering: .relaxed) { usleep(10_000) }
        }
        let running = Task { try await worker.run() }
        try await waitUntil("the worker") { isReady.load(ordering: .relaxed) }
        let start = ContinuousClock.now
        try await waitUntil("two and a half seconds") {
            #expect(heartbeat.overdue == nil)
            return ContinuousClock.now - start > .milliseconds(2500)
        }
        try await fixture.submit([try fixture.job(try fixture.sample(1))])
        try await waitUntil("the hanging slot") { heartbeat.overdue?.loop == "slot 0" }
        isHeld.store(false, ordering: .relaxed)
        try await waitUntil("progress") { heartbeat.overdue == nil }
        worker.stop()
        try await running.value
        #expect(heartbeat.overdue == nil)
    }
}
