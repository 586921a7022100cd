import Broker
import Glibc
import Jobs
import Manifests
import Records
import Testing

@testable import Worker

extension ProcessTests {
    /// A worker that is told to stop.
    @Suite struct StoppingTests {
        @Test("Even a worker that is stopped before it begins finishes what only lacked its commit")
        func stoppedAtOnce() async throws {
            let shop = try await WorkerFixture()
            let jobs = try (0..<9).map { try shop.job(try shop.sample($0)) }
            try await shop.submit(jobs)
            let attempts = Attempts(
                folder: AttemptFolder(library: shop.library), cluster: try await shop.broker.clusterID(), limit: 3)
            for delivery in try await shop.records(Topics.bulkJobs) {
                try attempts.noteEnd(try Job(record: try #require(delivery.record.value)), delivery.position)
            }
            let worker = try RenderWorker(settings: shop.settings, transport: shop.broker, roots: shop.roots)
            worker.stop()
            try await worker.run()
            #expect(try await shop.unfinished(Topics.bulkJobs) == 0)
            #expect(try shop.markers().isEmpty)
        }

        @Test("Stopping finishes what is in flight, leaves the rest, and loses nothing")
        func draining() async throws {
            let shop = try await WorkerFixture()
            let jobs = try (0..<20).map { try shop.job(try shop.sample($0)) }
            try await shop.submit(jobs)
            let first = try await shop.work(until: hasEnded(5))
            #expect(first.startedCount == first.ended.count)
            #expect(try shop.markers().isEmpty)
            #expect(try await shop.unfinished(Topics.bulkJobs) == Int64(20 - first.ended.count))
            let rest = 20 - first.ended.count
            let second = try await shop.work(until: hasEnded(rest))
            #expect(second.startedCount == rest)
            #expect(Set(try await shop.manifests().map(\.job)).count == 20)
            #expect(try await shop.manifests().count == 20)
        }

        @Test("Stopping twice ends at once; the job in flight is not blamed and is done the next time")
        func aborting() async throws {
            let shop = try await WorkerFixture()
            try await shop.submit([try shop.job(try shop.sample(1))])
            let watcher = Watcher { event in
                if case .started = event { for pid in renderProcesses() { kill(pid, SIGSTOP) } }
            }
            let worker = try RenderWorker(settings: shop.settings, transport: shop.broker, roots: shop.roots) {
                watcher.note($0)
            }
            let running = Task { try await worker.run() }
            try await watcher.wait { _ in watcher.startedCount == 1 }
            worker.stop()
            try await Task.sleep(for: .milliseconds(200))
            let start = ContinuousClock.now
            worker.stop()
            try await running.value
            // A worker that waited for the job would wait for its deadline: two minutes.
            #expect(ContinuousClock.now - start < .seconds(30))
            #expect(try shop.markers().isEmpty)
            #expect(renderProcesses().isEmpty)
            #expect(try await shop.unfinished(Topics.bulkJobs) == 1)
            try await shop.work(until: hasEnded(1))
        }
    }
}
