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
        @Test("A worker that paused after failures leaves its jobs to others, and rejoins when it is resumed")
        func paused() async throws {
            let fixture = try await WorkerFixture()
            var settings = fixture.settings
            settings.slots = 1
            settings.breakerThreshold = 1
            settings.name = "failing"
            let watcher = Watcher()
            // It does not know the archive, so every job fails there.
            let failing = try RenderWorker(
                settings: settings, transport: fixture.broker, roots: Roots(["library": fixture.library])
            ) { watcher.note($0) }
            let running = Task { try await failing.run() }
            try await fixture.submit(try (0..<6).map { try fixture.job(try fixture.sample($0)) })
            try await watcher.wait { $0.contains { if case .paused(.failures) = $0 { true } else { false } } }
            try await fixture.work(until: hasEnded(5))
            #expect(watcher.ended.count == 1)
            failing.resume()
            try await fixture.submit([try fixture.job(try fixture.sample(6))])
            try await watcher.wait { _ in watcher.ended.count == 2 }
            failing.stop()
            try await running.value
            // Uncommitted jobs come to the next worker, which sees that they are complete.
            try await fixture.work { _ in try await fixture.unfinished(Topics.bulkJobs) == 0 }
            #expect(try await fixture.manifests().count == 7)
        }

        @Test("A job that is passed to newer workers goes to another partition each time, unchanged")
        func passed() async throws {
            let retry = Topic(name: Topics.retry, partitions: 16, retention: .forever)
            let fixture = try await WorkerFixture([retry] + Topics.local.filter { $0.name != Topics.retry })
            var settings = fixture.settings
            settings.passesNewerJobs = true
            settings.retryDelay = .milliseconds(50)
            let plain = try fixture.job(try fixture.sample(0))
            let newer = Job(batch: plain.batch, source: plain.source, recipe: plain.recipe, engineNeeded: 9999)
            try await fixture.submit([newer], headers: [Header(name: "traceparent", value: [42])])
            try await fixture.work(settings) { events in
                events.count { if case .retried = $0 { true } else { false } } >= 8
            }
            let passes = try await fixture.records(Topics.retry)
            #expect(passes.count >= 8 && Set(passes.map(\.position.partition)).count >= 4)
            for pass in passes {
                #expect(pass.record.value == newer.encoded())
                #expect(pass.record.header("traceparent") == [42])
                #expect(pass.record.header(JobHeader.failures) == Array("0".utf8))
            }
            #expect(try await fixture.manifests().isEmpty)
            #expect(try await fixture.unfinished(Topics.bulkJobs) == 0)
        }
    }
}
