import Broker
import Jobs
import Manifests
import Records
import Storage
import Synchronization
import Testing

@testable import Worker

extension ProcessTests {
    /// Whole workers on an embedded broker.
    @Suite struct RenderWorkerTests {
        @Test("A try that is to wait for centuries, by a clock that is wrong, waits as long as a try can")
        func wrongClock() async throws {
            let shop = try await WorkerFixture()
            let job = try shop.job(try shop.sample(1))
            for time in ["\(Int64.max)", "\(Int64.min)"] {
                let record = Record(
                    key: [1], value: job.encoded(),
                    headers: [Header(name: JobHeader.notBefore, value: Array(time.utf8))])
                _ = try await shop.broker.producer().send([record], to: Topics.retry)
            }
            try await shop.work(until: hasEnded(2))
            #expect(try await shop.unfinished(Topics.retry) == 0)
        }

        @Test("Every job ends in one manifest and its files; nothing stays open, no marker, no process")
        func whole() async throws {
            let shop = try await WorkerFixture()
            let jobs = try (0..<6).map { try shop.job(try shop.sample($0), lane: $0 % 3 == 0 ? .interactive : .bulk) }
            try await shop.submit(jobs)
            try await shop.work(until: hasEnded(6))
            let manifests = try await shop.manifests()
            #expect(Set(manifests.map(\.job)) == Set(jobs.map(\.id)) && manifests.count == 6)
            for manifest in manifests {
                guard case .completed(let renditions) = manifest.outcome else {
                    Issue.record("\(manifest.outcome)")
                    continue
                }
                #expect(manifest.attempts == 1 && manifest.worker == "tester")
                for rendition in renditions {
                    for file in [rendition.photo, rendition.preview] {
                        #expect(try shop.library.digest(of: file.path.bytes).digest == file.digest)
                    }
                }
            }
            for topic in [Topics.interactiveJobs, Topics.bulkJobs] { #expect(try await shop.unfinished(topic) == 0) }
            #expect(try shop.markers().isEmpty)
            #expect(try shop.files().count == 12)
            #expect(renderProcesses().isEmpty)
        }

        @Test("An interactive job is the next to start, however many bulk jobs wait")
        func overtaking() async throws {
            let shop = try await WorkerFixture()
            let bulk = try (0..<12).map { try shop.job(try shop.sample($0, megapixels: 1)) }
            try await shop.submit(bulk)
            let urgent = try shop.job(try shop.sample(50), lane: .interactive)
            var settings = shop.settings
            settings.slots = 1
            let order = Mutex<[JobID]>([])
            let watcher = Watcher { event in
                guard case .started(let job, _, _) = event else { return }
                let count = order.withLock { started in
                    started.append(job.id)
                    return started.count
                }
                if count == 3 { Task { try await shop.submit([urgent]) } }
            }
            try await shop.work(settings, watcher: watcher, until: hasEnded(13))
            let place = try #require(order.withLock { $0.firstIndex(of: urgent.id) })
            #expect(place <= 4)
        }

        @Test("A job that is delivered twice is rendered twice at most, and shown as one")
        func duplicates() async throws {
            let shop = try await WorkerFixture()
            let job = try shop.job(try shop.sample(1))
            try await shop.submit([job, job, job])
            try await shop.work(until: hasEnded(3))
            let outcomes = Set(
                try await shop.manifests().map { manifest -> [String] in
                    guard case .completed(let renditions) = manifest.outcome else { return [] }
                    return renditions.map { "\($0.key) \($0.photo.digest) \($0.preview.digest)" }
                })
            #expect(outcomes.count == 1)
            #expect(try shop.files().count == 2)
        }

        @Test("A delivery whose end is durable is finished without a render when it comes again")
        func endedBefore() async throws {
            let shop = try await WorkerFixture()
            let job = try shop.job(try shop.sample(1))
            try await shop.submit([job])
            let delivery = try #require(try await shop.records(Topics.bulkJobs).first)
            let attempts = Attempts(
                folder: AttemptFolder(library: shop.library), cluster: try await shop.broker.clusterID(), limit: 3)
            #expect(try attempts.begin(job) == 1)
            try attempts.end(job)
            try attempts.noteEnd(job, delivery.position)
            let watcher = try await shop.work { _ in try await shop.unfinished(Topics.bulkJobs) == 0 }
            #expect(watcher.startedCount == 0)
            #expect(try await shop.manifests().isEmpty)
            #expect(try shop.markers().isEmpty)
        }

        @Test("Notes of deliveries that were committed go when a worker starts; those of open ones stay")
        func sweeping() async throws {
            let shop = try await WorkerFixture()
            let jobs = try (0..<2).map { try shop.job(try shop.sample($0)) }
            try await shop.submit(jobs)
            let cluster = try await shop.broker.clusterID()
            let attempts = Attempts(folder: AttemptFolder(library: shop.library), cluster: cluster, limit: 3)
            var committed: [TopicPartition: Int64] = [:]
            for delivery in try await shop.records(Topics.bulkJobs) {
                let job = try Job(record: try #require(delivery.record.value))
                #expect(try attempts.begin(job) == 1)
                try attempts.noteEnd(job, delivery.position)
                let isDone = job.id == jobs[0].id
                committed[delivery.position.partition] = delivery.position.offset + (isDone ? 1 : 0)
            }
            try Attempts(folder: AttemptFolder(library: shop.library), cluster: "another", limit: 3).sweep(
                committed: committed)
            #expect(try shop.markers().count == 4)
            try attempts.sweep(committed: committed)
            let names = try shop.markers()
            // Both jobs may share a partition, and then one commit covers both or neither.
            if committed.count == 2 { #expect(names.allSatisfy { $0.hasPrefix("\(jobs[1].id).0.") }) }
            #expect(names.count.isMultiple(of: 2))
        }

        @Test("The breaker pauses a worker; after a resume it goes on")
        func breaker() async throws {
            let shop = try await WorkerFixture()
            var settings = shop.settings
            settings.breaker = 3
            settings.slots = 1
            let bad = try (0..<3).map { try shop.job(try shop.put([UInt8]("bad \($0)".utf8), at: "\($0).nef")) }
            let good = try shop.job(try shop.sample(1))
            try await shop.submit(bad)
            let watcher = Watcher()
            let worker = try RenderWorker(settings: settings, transport: shop.broker, roots: shop.roots) {
                watcher.note($0)
            }
            let running = Task { try await worker.run() }
            try await watcher.wait { events in
                events.contains { if case .paused(.failures(3, _)) = $0 { true } else { false } }
            }
            try await shop.submit([good])
            try await Task.sleep(for: .milliseconds(300))
            #expect(watcher.startedCount == 3)
            worker.resume()
            try await watcher.wait { _ in watcher.ended.count == 4 }
            worker.stop()
            try await running.value
        }

        @Test("The worker's status is in its topic while it works, and gone after")
        func heartbeat() async throws {
            let shop = try await WorkerFixture()
            var settings = shop.settings
            settings.heartbeat = .milliseconds(50)
            try await shop.submit([try shop.job(try shop.sample(1))])
            try await shop.work(settings) { events in
                guard hasEnded(1)(events) else { return false }
                let last = try await shop.records(Topics.workers).last?.record.value
                return try last.map { try WorkerStatus(record: $0).completed == 1 } ?? false
            }
            let last = try #require(try await shop.records(Topics.workers).last)
            #expect(last.record.value == nil && last.record.key == Array("tester".utf8))
        }
    }
}
