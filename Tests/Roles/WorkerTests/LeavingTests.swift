import Broker
import Jobs
import Manifests
import Records
import Storage
import Testing

@testable import Worker

extension ProcessTests {
    /// Jobs that one worker leaves to others.
    @Suite struct LeavingTests {
        @Test("A worker that paused after failures leaves its jobs to others, and takes part again when it is told to")
        func paused() async throws {
            let shop = try await WorkerFixture()
            var settings = shop.settings
            settings.slots = 1
            settings.breaker = 1
            settings.name = "lost"
            let watcher = Watcher()
            // It does not know the archive, so that every job fails there.
            let lost = try RenderWorker(
                settings: settings, transport: shop.broker, roots: Roots(["library": shop.library])
            ) { watcher.note($0) }
            let running = Task { try await lost.run() }
            try await shop.submit(try (0..<6).map { try shop.job(try shop.sample($0)) })
            try await watcher.wait { $0.contains { if case .paused(.failures) = $0 { true } else { false } } }
            try await shop.work(until: hasEnded(5))
            #expect(watcher.ended.count == 1)
            lost.resume()
            try await shop.submit([try shop.job(try shop.sample(6))])
            try await watcher.wait { _ in watcher.ended.count == 2 }
            lost.stop()
            try await running.value
            // What it could not commit any more comes to the next one, who sees that it has ended.
            try await shop.work { _ in try await shop.unfinished(Topics.bulkJobs) == 0 }
            #expect(try await shop.manifests().count == 7)
        }

        @Test("A job that is left to newer workers goes to another partition every time, as it was")
        func passed() async throws {
            let retry = Topic(name: Topics.retry, partitions: 16, retention: .forever)
            let shop = try await WorkerFixture([retry] + Topics.onOneMachine.filter { $0.name != Topics.retry })
            var settings = shop.settings
            settings.leavesNewerJobs = true
            settings.retryDelay = .milliseconds(50)
            let plain = try shop.job(try shop.sample(0))
            let newer = Job(batch: plain.batch, source: plain.source, recipe: plain.recipe, engineNeeded: 9999)
            try await shop.submit([newer], headers: [Header(name: "traceparent", value: [42])])
            try await shop.work(settings) { events in
                events.count { if case .retried = $0 { true } else { false } } >= 8
            }
            let passes = try await shop.records(Topics.retry)
            #expect(passes.count >= 8 && Set(passes.map(\.position.partition)).count >= 4)
            for pass in passes {
                #expect(pass.record.value == newer.encoded())
                #expect(pass.record.header("traceparent") == [42])
                #expect(pass.record.header(JobHeader.failures) == Array("0".utf8))
            }
            #expect(try await shop.manifests().isEmpty)
            #expect(try await shop.unfinished(Topics.bulkJobs) == 0)
        }
    }
}
