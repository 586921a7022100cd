import Broker
import Jobs
import Manifests
import Records
import Storage
import Synchronization
import Testing

@testable import Worker

extension ProcessTests {
    /// Whole workers with an embedded broker.
    @Suite struct RenderWorkerTests {
        @Test("A retry that a wrong clock postpones for centuries waits no longer than any retry")
        func wrongClock() async throws {
            let fixture = try await WorkerFixture()
            let job = try fixture.job(try fixture.sample(1))
            for time in ["\(Int64.max)", "\(Int64.min)"] {
                let record = Record(
                    key: [1], value: job.encoded(),
                    headers: [Header(name: JobHeader.notBefore, value: Array(time.utf8))])
                _ = try await fixture.broker.producer().send([record], to: Topics.retry)
            }
            try await fixture.work(until: hasEnded(2))
            #expect(try await fixture.unfinished(Topics.retry) == 0)
        }

        @Test("Every job ends in one manifest and its files, and leaves no open delivery, marker or process")
        func whole() async throws {
            let fixture = try await WorkerFixture()
            let jobs = try (0..<6).map {
                try fixture.job(try fixture.sample($0), lane: $0 % 3 == 0 ? .interactive : .bulk)
            }
            try await fixture.submit(jobs)
            try await fixture.work(until: hasEnded(6))
            let manifests = try await fixture.manifests()
            #expect(Set(manifests.map(\.job)) == Set(jobs.map(\.id)) && manifests.count == 6)
            for manifest in manifests {
                guard case .completed(let renditions) = manifest.outcome else {
                    Issue.record("\(manifest.outcome)")
                    continue
                }
                #expect(manifest.attempts == 1 && manifest.worker == "tester")
                for rendition in renditions {
                    for file in [rendition.photo, rendition.preview] {
                        #expect(try fixture.library.digest(of: file.path.bytes).digest == file.digest)
                    }
                }
            }
            for topic in [Topics.interactiveJobs, Topics.bulkJobs] { #expect(try await fixture.unfinished(topic) == 0) }
            #expect(try fixture.markers().isEmpty)
            #expect(try fixture.files().count == 12)
            #expect(renderProcesses().isEmpty)
        }

        @Test("If one job is expected, there is one render process until more come, which are also rendered")
        func loneJob() async throws {
            let fixture = try await WorkerFixture()
            let pool = try RenderProcessPool(fixture.settings, library: fixture.library.path, expectedJobs: 1)
            pool.load()
            let processes = Mutex<[Int]>([])
            let watcher = Watcher { event in
                if case .started = event { processes.withLock { $0.append(renderProcesses().count) } }
            }
            let worker = try RenderWorker(pool: pool, transport: fixture.broker, roots: fixture.roots) {
                watcher.note($0)
            }
            let running = Task { try await worker.run() }
            try await fixture.submit([try fixture.job(try fixture.sample(0))])
            try await watcher.wait { _ in watcher.ended.count == 1 }
            #expect(processes.withLock { $0 } == [1] && renderProcesses().count == 1)
            try await fixture.submit(try (1..<9).map { try fixture.job(try fixture.sample($0, megapixels: 1)) })
            try await watcher.wait { _ in watcher.ended.count == 9 }
            #expect(renderProcesses().count == 2)
            worker.stop()
            try await running.value
            #expect(renderProcesses().isEmpty)
        }

        @Test("An interactive job starts next, however many bulk jobs wait")
        func overtaking() async throws {
            let fixture = try await WorkerFixture()
            let bulk = try (0..<12).map { try fixture.job(try fixture.sample($0, megapixels: 1)) }
            try await fixture.submit(bulk)
            let urgent = try fixture.job(try fixture.sample(50), lane: .interactive)
            var settings = fixture.settings
            settings.slots = 1
            let order = Mutex<[JobID]>([])
            let watcher = Watcher { event in
                guard case .started(let job, _, _) = event else { return }
                let count = order.withLock { started in
                    started.append(job.id)
                    return started.count
                }
                if count == 3 { Task { try await fixture.submit([urgent]) } }
            }
            try await fixture.work(settings, watcher: watcher, until: hasEnded(13))
            let index = try #require(order.withLock { $0.firstIndex(of: urgent.id) })
            #expect(index <= 4)
        }

        @Test("A job that is delivered three times gives the same files each time")
        func duplicates() async throws {
            let fixture = try await WorkerFixture()
            let job = try fixture.job(try fixture.sample(1))
            try await fixture.submit([job, job, job])
            try await fixture.work(until: hasEnded(3))
            let outcomes = Set(
                try await fixture.manifests().map { manifest -> [String] in
                    guard case .completed(let renditions) = manifest.outcome else { return [] }
                    return renditions.map { "\($0.key) \($0.photo.digest) \($0.preview.digest)" }
                })
            #expect(outcomes.count == 1)
            #expect(try fixture.files().count == 2)
        }

        @Test("A completed delivery is finished without a render when it comes again")
        func endedBefore() async throws {
            let fixture = try await WorkerFixture()
            let job = try fixture.job(try fixture.sample(1))
            try await fixture.submit([job])
            let delivery = try #require(try await fixture.records(Topics.bulkJobs).first)
            let attempts = try await fixture.attempts()
            #expect(try attempts.beginStart(of: job) == 1)
            try attempts.endStarts(of: job)
            try attempts.markComplete(job, at: delivery.position)
            let watcher = try await fixture.work { _ in try await fixture.unfinished(Topics.bulkJobs) == 0 }
            #expect(watcher.startedCount == 0)
            #expect(try await fixture.manifests().isEmpty)
            #expect(try fixture.markers().isEmpty)
        }

        @Test("Markers of committed deliveries are removed when a worker starts; those of open ones stay")
        func oldMarkers() async throws {
            let fixture = try await WorkerFixture()
            let jobs = try (0..<2).map { try fixture.job(try fixture.sample($0)) }
            try await fixture.submit(jobs)
            let attempts = try await fixture.attempts()
            var committed: [TopicPartition: Int64] = [:]
            for delivery in try await fixture.records(Topics.bulkJobs) {
                let job = try Job(record: try #require(delivery.record.value))
                #expect(try attempts.beginStart(of: job) == 1)
                try attempts.markComplete(job, at: delivery.position)
                let isDone = job.id == jobs[0].id
                committed[delivery.position.partition] = delivery.position.offset + (isDone ? 1 : 0)
            }
            try AttemptTracker(library: fixture.library, clusterID: "another", maxStarts: 3).removeMarkers(
                committed: committed)
            #expect(try fixture.markers().count == 4)
            try attempts.removeMarkers(committed: committed)
            let names = try fixture.markers()
            // Both jobs may share a partition, and then one commit covers both or neither.
            if committed.count == 2 { #expect(names.allSatisfy { $0.hasPrefix("\(jobs[1].id).0.") }) }
            #expect(names.count.isMultiple(of: 2))
        }

        @Test("A worker without jobs leaves nothing in its library's folder, because nothing may be mounted there")
        func untouched() async throws {
            let fixture = try await WorkerFixture()
            try await fixture.work { $0.contains(.ready(slots: 2)) }
            #expect(try fixture.library.entries(of: []).isEmpty)
        }

        @Test("Failures in a row pause a worker, and it continues when it is resumed")
        func breaker() async throws {
            let fixture = try await WorkerFixture()
            var settings = fixture.settings
            settings.breakerThreshold = 3
            settings.slots = 1
            let bad = try (0..<3).map { try fixture.job(try fixture.put([UInt8]("bad \($0)".utf8), at: "\($0).nef")) }
            let good = try fixture.job(try fixture.sample(1))
            try await fixture.submit(bad)
            let watcher = Watcher()
            let worker = try RenderWorker(settings: settings, transport: fixture.broker, roots: fixture.roots) {
                watcher.note($0)
            }
            let running = Task { try await worker.run() }
            try await watcher.wait { events in
                events.contains { if case .paused(.failures(3, _)) = $0 { true } else { false } }
            }
            try await fixture.submit([good])
            #expect(watcher.startedCount == 3 && worker.snapshot.status == "paused after failures")
            worker.resume()
            try await watcher.wait { _ in watcher.ended.count == 4 }
            let resumed = try #require(watcher.events.firstIndex(of: .resumed))
            #expect(watcher.events[..<resumed].count { if case .started = $0 { true } else { false } } == 3)
            worker.stop()
            try await running.value
        }

        @Test("The worker's status is in its topic while it works, and is removed afterwards")
        func heartbeat() async throws {
            let fixture = try await WorkerFixture()
            var settings = fixture.settings
            settings.heartbeatInterval = .milliseconds(50)
            try await fixture.submit([try fixture.job(try fixture.sample(1))])
            try await fixture.work(settings) { events in
                guard hasEnded(1)(events) else { return false }
                let last = try await fixture.records(Topics.workers).last?.record.value
                return try last.map { try WorkerStatus(record: $0).completed == 1 } ?? false
            }
            let records = try await fixture.records(Topics.workers)
            for status in try records.compactMap({ try $0.record.value.map { try WorkerStatus(record: $0) } }) {
                #expect(status.node == WorkerSettings.hostName && status.memoryBytes > 0)
                #expect(status.currentFiles.count == status.currentJobs.count)
            }
            let last = try #require(records.last)
            #expect(last.record.value == nil && last.record.key == Array("tester".utf8))
        }
    }
}
