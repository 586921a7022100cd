import Broker
import Glibc
import Jobs
import Manifests
import Records
import Testing

@testable import Worker

extension ProcessTests {
    /// Workers that are stopped.
    @Suite struct StoppingTests {
        @Test("A worker that is stopped before it starts still finishes deliveries that only lacked their commit")
        func stoppedAtOnce() async throws {
            let fixture = try await WorkerFixture()
            let jobs = try (0..<9).map { try fixture.job(try fixture.sample($0)) }
            try await fixture.submit(jobs)
            let attempts = try await fixture.attempts()
            for delivery in try await fixture.records(Topics.bulkJobs) {
                try attempts.markComplete(Job(record: #require(delivery.record.value)), at: delivery.position)
            }
            let worker = try RenderWorker(settings: fixture.settings, transport: fixture.broker, roots: fixture.roots)
            worker.stop()
            try await worker.run()
            #expect(try await fixture.unfinished(Topics.bulkJobs) == 0)
            #expect(try fixture.markers().isEmpty)
        }

        @Test("Stopping finishes the jobs in flight, leaves the others, and loses none")
        func draining() async throws {
            let fixture = try await WorkerFixture()
            let jobs = try (0..<20).map { try fixture.job(try fixture.sample($0)) }
            try await fixture.submit(jobs)
            let first = try await fixture.work(until: hasEnded(5))
            #expect(first.startedCount == first.ended.count)
            #expect(try fixture.markers().isEmpty)
            #expect(try await fixture.unfinished(Topics.bulkJobs) == Int64(20 - first.ended.count))
            let rest = 20 - first.ended.count
            let second = try await fixture.work(until: hasEnded(rest))
            #expect(second.startedCount == rest)
            #expect(Set(try await fixture.manifests().map(\.job)).count == 20)
            #expect(try await fixture.manifests().count == 20)
        }

        @Test("Stopping twice ends at once; the job in flight is not blamed and completes the next time")
        func aborting() async throws {
            let fixture = try await WorkerFixture()
            try await fixture.submit([try fixture.job(try fixture.sample(1))])
            let watcher = Watcher { event in
                if case .started = event { for pid in renderProcesses() { kill(pid, SIGSTOP) } }
            }
            let worker = try RenderWorker(settings: fixture.settings, transport: fixture.broker, roots: fixture.roots) {
                watcher.note($0)
            }
            let running = Task { try await worker.run() }
            try await watcher.wait { _ in watcher.startedCount == 1 }
            worker.stop()
            let start = ContinuousClock.now
            worker.stop()
            try await running.value
            // A worker that waited for the job would wait for its deadline: two minutes.
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(try fixture.markers().isEmpty)
            #expect(renderProcesses().isEmpty)
            #expect(try await fixture.unfinished(Topics.bulkJobs) == 1)
            try await fixture.work(until: hasEnded(1))
        }
    }
}
