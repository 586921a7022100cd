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
    /// Jobs that end badly, and what they must not do to others.
    @Suite struct FailingJobTests {
        @Test("Damaged files fail alone, with their reasons, and are dead letters")
        func damaged() async throws {
            let shop = try await WorkerFixture()
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
            let shop = try await WorkerFixture()
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

        @Test("A count of failures that cannot be, and a record too large to be answered, end their jobs and no worker")
        func nonsense() async throws {
            let shop = try await WorkerFixture()
            let often = try shop.job(try shop.put(Array("no photo".utf8), at: "often.dng"))
            let large = try shop.job(try shop.sample(1))
            let good = try shop.job(try shop.sample(2))
            try await shop.submit([often], headers: [Header(name: JobHeader.failures, value: Array("4294967295".utf8))])
            let value = large.encoded()
            let key = [UInt8](repeating: 7, count: Record.largestBytes - value.count)
            _ = try await shop.broker.producer().send([Record(key: key, value: value)], to: Topics.bulkJobs)
            try await shop.submit([good])
            try await shop.work(until: hasEnded(2))
            #expect(Set(try await shop.manifests().map(\.job)) == [often.id, good.id])
            #expect(Set(try await shop.deadLetters().map(\.failure.reason)) == [.notRaw, .malformedRecord])
            #expect(try await shop.unfinished(Topics.bulkJobs) == 0)
        }

        @Test("A render process killed over and over fails its job after four tries, with the signal, and no other job")
        func crashing() async throws {
            let shop = try await WorkerFixture()
            var settings = shop.settings
            settings.slots = 1
            let victim = try shop.job(try shop.sample(1, megapixels: 2))
            let others = try (2..<5).map { try shop.job(try shop.sample($0)) }
            let watcher = Watcher { event in
                if case .started(victim, _, _) = event { for pid in renderProcesses() { kill(pid, SIGKILL) } }
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
            let shop = try await WorkerFixture()
            var settings = shop.settings
            settings.deadline = .seconds(6)
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

        @Test("A job with one start left begins when all before it has ended, and all of them are done")
        func lastStart() async throws {
            let shop = try await WorkerFixture()
            let jobs = try (1...6).map { try shop.job(try shop.sample($0)) }
            let cursed = jobs[3].id
            for number in 1...UInt32(2) {
                let name = Array("\(cursed).0.\(number)".utf8)
                #expect(try AttemptFolder(library: shop.library).opened().create(name))
            }
            try await shop.submit(jobs)
            let watcher = try await shop.work(until: hasEnded(jobs.count))
            var open: Set<JobID> = []
            for event in watcher.events {
                if case .ended(let manifest, _) = event { open.remove(manifest.job) }
                guard case .started(let job, _, _) = event else { continue }
                #expect(job.id != cursed || open.isEmpty)
                open.insert(job.id)
            }
            #expect(Set(watcher.ended.map(\.job)) == Set(jobs.map(\.id)))
            #expect(try shop.markers().isEmpty)
        }

        @Test("A job that was started three times and never ended is parked, and the next is done")
        func tooManyStarts() async throws {
            let shop = try await WorkerFixture()
            let cursed = try shop.job(try shop.sample(1))
            let fine = try shop.job(try shop.sample(2))
            for number in 1...UInt32(3) {
                let name = Array("\(cursed.id).0.\(number)".utf8)
                #expect(try AttemptFolder(library: shop.library).opened().create(name))
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
    }
}
