import Broker
import Foundation
import Glibc
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
        @Test("Every job ends in one manifest and its files; nothing stays open, no marker, no process")
        func whole() async throws {
            let shop = try await Workshop()
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
                        #expect(try shop.library.identity(of: file.path.bytes).digest == file.digest)
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
            let shop = try await Workshop()
            let bulk = try (0..<12).map { try shop.job(try shop.sample($0, megapixels: 1)) }
            try await shop.submit(bulk)
            let urgent = try shop.job(try shop.sample(50), lane: .interactive)
            var settings = shop.settings
            settings.slots = 1
            let order = Mutex<[JobID]>([])
            let watcher = Watcher { event in
                guard case .started(let job, _) = event else { return }
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

        @Test("Damaged files fail alone, with their reasons, and are dead letters")
        func damaged() async throws {
            let shop = try await Workshop()
            let good = try shop.job(try shop.sample(1))
            let whole = try shop.archive.contents(of: Array("sample-0001.dng".utf8), limitBytes: 1 << 30)
            let text = try shop.job(try shop.put(Array("no photo".utf8), at: "text.dng"))
            let short = try shop.job(try shop.put(Array(whole.prefix(whole.count / 2)), at: "short.dng"))
            let gone = try shop.job(try shop.put(whole, at: "gone.dng"))
            try shop.archive.remove(Array("gone.dng".utf8))
            try await shop.submit([text, short, gone, good])
            try await shop.work(until: hasEnded(4))
            var reasons: [JobID: FailureReason] = [:]
            for manifest in try await shop.manifests() {
                if case .failed(let failure) = manifest.outcome {
                    reasons[manifest.job] = failure.reason
                    #expect(failure.message.contains(manifest.source.raw.file.path.description))
                }
            }
            #expect(reasons == [text.id: .notRaw, short.id: .corrupt, gone.id: .sourceMissing])
            let letters = try await shop.deadLetters()
            #expect(letters.count == 3)
            #expect(Set(letters.compactMap(\.value)) == Set([text, short, gone].map { $0.encoded() }))
            #expect(try shop.markers().isEmpty)
            #expect(try await shop.unfinished(Topics.bulkJobs) == 0)
        }

        @Test("Poison records become dead letters, and the jobs behind them go on")
        func poison() async throws {
            let shop = try await Workshop()
            let job = try shop.job(try shop.sample(1))
            let producer = try await shop.broker.producer()
            let poison: [[UInt8]?] = [nil, [], [0xFF, 0xFF, 0xFF], Array(repeating: 7, count: 60_000)]
            for value in poison {
                let record = Record(key: [1], value: value, headers: [Header(name: "traceparent", value: [42])])
                _ = try await producer.send([record], to: Topics.bulkJobs)
            }
            _ = try await producer.send([Record(key: [1], value: job.encoded())], to: Topics.bulkJobs)
            try await shop.work(until: hasEnded(1))
            let letters = try await shop.records(Topics.deadLetter)
            #expect(letters.count == 4)
            #expect(letters.allSatisfy { $0.record.header("traceparent") == [42] })
            #expect(try await shop.deadLetters().map(\.value) == poison)
            #expect(try await shop.deadLetters().allSatisfy { $0.failure.reason == .malformedRecord })
            #expect(try await shop.unfinished(Topics.bulkJobs) == 0)
        }

        @Test("A job that is delivered twice is rendered twice at most, and shown as one")
        func duplicates() async throws {
            let shop = try await Workshop()
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

        @Test("A render process killed over and over fails its job after four tries, with the signal, and no other job")
        func crashing() async throws {
            let shop = try await Workshop()
            var settings = shop.settings
            settings.slots = 1
            let victim = try shop.job(try shop.sample(1, megapixels: 2))
            let others = try (2..<5).map { try shop.job(try shop.sample($0)) }
            let watcher = Watcher { event in
                if case .started(victim, _) = event { for pid in renderProcesses() { kill(pid, SIGKILL) } }
            }
            try await shop.submit([victim] + others)
            try await shop.work(settings, watcher: watcher, until: hasEnded(4))
            let manifests = try await shop.manifests()
            let last = try #require(manifests.first { $0.job == victim.id })
            guard case .failed(let failure) = last.outcome else {
                Issue.record("\(last.outcome)")
                return
            }
            #expect(failure.reason == .decoderCrashed && failure.signal == SIGKILL)
            #expect(last.attempts == 4)
            #expect(manifests.filter { if case .completed = $0.outcome { true } else { false } }.count == 3)
            let delays = watcher.events.compactMap { event -> Duration? in
                if case .retried(_, _, let after) = event { after } else { nil }
            }
            #expect(delays == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
            let letters = try await shop.deadLetters()
            #expect(letters.map(\.attempts) == [4] && letters.map(\.topic) == [Topics.retry])
            #expect(letters.map(\.value) == [victim.encoded()])
            #expect(try shop.markers().isEmpty)
            for topic in [Topics.bulkJobs, Topics.retry] { #expect(try await shop.unfinished(topic) == 0) }
        }

        @Test("A render process that hangs is given up at the deadline; tried again, the job is done")
        func hanging() async throws {
            let shop = try await Workshop()
            var settings = shop.settings
            settings.deadline = .seconds(3)
            settings.slots = 1
            let hung = Mutex(false)
            let watcher = Watcher { event in
                guard case .started = event,
                    hung.withLock({ swap in
                        defer { swap = true }
                        return !swap
                    })
                else { return }
                for pid in renderProcesses() { kill(pid, SIGSTOP) }
            }
            try await shop.submit([try shop.job(try shop.sample(1))])
            try await shop.work(settings, watcher: watcher, until: hasEnded(1))
            #expect(
                watcher.events.contains {
                    if case .retried(_, let failure, _) = $0 { failure.reason == .timeout } else { false }
                })
            let manifest = try #require(try await shop.manifests().first)
            guard case .completed = manifest.outcome else {
                Issue.record("\(manifest.outcome)")
                return
            }
            #expect(manifest.attempts == 2)
        }

        @Test("A job that was started three times and never ended is parked, and the next is done")
        func tooManyStarts() async throws {
            let shop = try await Workshop()
            let cursed = try shop.job(try shop.sample(1))
            let fine = try shop.job(try shop.sample(2))
            for number in 1...UInt32(3) {
                let path = LibraryLayout.attempt(cursed.id, round: 0, attempt: number)
                #expect(try shop.library.createMarker(path.bytes))
            }
            try await shop.submit([cursed, fine])
            try await shop.work(until: hasEnded(2))
            let manifest = try #require(try await shop.manifests().first { $0.job == cursed.id })
            guard case .failed(let failure) = manifest.outcome else {
                Issue.record("\(manifest.outcome)")
                return
            }
            #expect(failure.reason == .tooManyStarts)
            #expect(try await shop.deadLetters().count == 1)
            #expect(try shop.markers().isEmpty)
        }

        @Test("A delivery whose end is durable is finished without a render when it comes again")
        func endedBefore() async throws {
            let shop = try await Workshop()
            let job = try shop.job(try shop.sample(1))
            try await shop.submit([job])
            let delivery = try #require(try await shop.records(Topics.bulkJobs).first)
            let attempts = Attempts(library: shop.library, cluster: try await shop.broker.clusterID(), limit: 3)
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
            let shop = try await Workshop()
            let jobs = try (0..<2).map { try shop.job(try shop.sample($0)) }
            try await shop.submit(jobs)
            let cluster = try await shop.broker.clusterID()
            let attempts = Attempts(library: shop.library, cluster: cluster, limit: 3)
            var committed: [TopicPartition: Int64] = [:]
            for delivery in try await shop.records(Topics.bulkJobs) {
                let job = try Job(record: try #require(delivery.record.value))
                #expect(try attempts.begin(job) == 1)
                try attempts.noteEnd(job, delivery.position)
                let isDone = job.id == jobs[0].id
                committed[delivery.position.partition] = delivery.position.offset + (isDone ? 1 : 0)
            }
            try Attempts(library: shop.library, cluster: "another", limit: 3).sweep(committed: committed)
            #expect(try shop.markers().count == 4)
            try attempts.sweep(committed: committed)
            let names = try shop.markers()
            // Both jobs may share a partition, and then one commit covers both or neither.
            if committed.count == 2 { #expect(names == ["\(jobs[1].id).0.0", "\(jobs[1].id).0.1"]) }
            #expect(names.count.isMultiple(of: 2))
        }

        @Test("Even a worker that is stopped before it begins finishes what only lacked its commit")
        func stoppedAtOnce() async throws {
            let shop = try await Workshop()
            let jobs = try (0..<9).map { try shop.job(try shop.sample($0)) }
            try await shop.submit(jobs)
            let attempts = Attempts(library: shop.library, cluster: try await shop.broker.clusterID(), limit: 3)
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
            let shop = try await Workshop()
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
            let shop = try await Workshop()
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
            #expect(ContinuousClock.now - start < .seconds(2))
            #expect(try shop.markers().isEmpty)
            #expect(renderProcesses().isEmpty)
            #expect(try await shop.unfinished(Topics.bulkJobs) == 1)
            try await shop.work(until: hasEnded(1))
        }

        @Test("The breaker pauses a worker; after a resume it goes on")
        func breaker() async throws {
            let shop = try await Workshop()
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
            let shop = try await Workshop()
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
