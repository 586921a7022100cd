import ExternalTools
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
    /// Failing jobs, which must not affect other jobs.
    @Suite struct FailingJobTests {
        /// The coordinator writes the letter of a missing source.
        @Test("Damaged files fail individually, each with its reason and a dead letter")
        func damaged() async throws {
            let fixture = try await WorkerFixture()
            let good = try fixture.job(try fixture.sample(1))
            let whole = try fixture.archive.contents(of: Array("sample-0001.dng".utf8), limitBytes: 1 << 30)
            let text = try fixture.job(try fixture.put(Array("no photo".utf8), at: "text.dng"))
            let short = try fixture.job(try fixture.put(Array(whole.prefix(whole.count / 2)), at: "short.dng"))
            let gone = try fixture.job(try fixture.put(whole, at: "gone.dng"))
            try fixture.archive.remove(Array("gone.dng".utf8))
            try await fixture.submit([text, short, gone, good])
            try await fixture.work(until: hasEnded(4))
            var reasons: [JobID: FailureReason] = [:]
            for manifest in try await fixture.manifests() {
                if case .failed(let failure) = manifest.outcome {
                    reasons[manifest.job] = failure.reason
                    #expect(failure.message.contains(manifest.source.raw.file.path.description))
                }
            }
            #expect(reasons == [text.id: .notRaw, short.id: .corrupt, gone.id: .sourceMissing])
            let deadLetters = try await fixture.deadLetters()
            #expect(deadLetters.count == 2)
            #expect(Set(deadLetters.compactMap(\.value)) == Set([text, short].map { $0.encoded() }))
            #expect(try fixture.markers().isEmpty)
            #expect(try await fixture.unfinished(Topics.bulkJobs) == 0)
        }

        @Test("Records that are not jobs become dead letters, and later jobs continue")
        func poison() async throws {
            let fixture = try await WorkerFixture()
            let job = try fixture.job(try fixture.sample(1))
            let producer = try await fixture.broker.producer()
            let poison: [[UInt8]?] = [nil, [], [0xFF, 0xFF, 0xFF], Array(repeating: 7, count: 60_000)]
            for value in poison {
                let record = Record(key: [1], value: value, headers: [Header(name: "traceparent", value: [42])])
                _ = try await producer.send([record], to: Topics.bulkJobs)
            }
            _ = try await producer.send([Record(key: [1], value: job.encoded())], to: Topics.bulkJobs)
            try await fixture.work(until: hasEnded(1))
            let deadLetters = try await fixture.records(Topics.deadLetter)
            #expect(deadLetters.count == 4)
            #expect(deadLetters.allSatisfy { $0.record.header("traceparent") == [42] })
            #expect(try await fixture.deadLetters().map(\.value) == poison)
            #expect(try await fixture.deadLetters().allSatisfy { $0.failure.reason == .malformedRecord })
            #expect(try await fixture.unfinished(Topics.bulkJobs) == 0)
        }

        @Test("An impossible number of failures and a record too large for a reply end their jobs, not the worker")
        func nonsense() async throws {
            let fixture = try await WorkerFixture()
            let often = try fixture.job(try fixture.put(Array("no photo".utf8), at: "often.dng"))
            let large = try fixture.job(try fixture.sample(1))
            let good = try fixture.job(try fixture.sample(2))
            try await fixture.submit(
                [often], headers: [Header(name: JobHeader.failures, value: Array("4294967295".utf8))])
            let value = large.encoded()
            let key = [UInt8](repeating: 7, count: Record.maxBytes - value.count)
            _ = try await fixture.broker.producer().send([Record(key: key, value: value)], to: Topics.bulkJobs)
            try await fixture.submit([good])
            try await fixture.work(until: hasEnded(2))
            #expect(Set(try await fixture.manifests().map(\.job)) == [often.id, good.id])
            #expect(Set(try await fixture.deadLetters().map(\.failure.reason)) == [.notRaw, .malformedRecord])
            #expect(try await fixture.unfinished(Topics.bulkJobs) == 0)
        }

        @Test(
            "A job whose render process is killed every time fails after four attempts, with the signal; other jobs complete"
        )
        func crashing() async throws {
            let fixture = try await WorkerFixture()
            var settings = fixture.settings
            settings.slots = 1
            let victim = try fixture.job(try fixture.sample(1, megapixels: 2))
            let others = try (2..<5).map { try fixture.job(try fixture.sample($0)) }
            let watcher = Watcher { event in
                if case .started(victim, _, _) = event { for pid in renderProcesses() { kill(pid, SIGKILL) } }
            }
            try await fixture.submit([victim] + others)
            try await fixture.work(settings, watcher: watcher, until: hasEnded(4))
            let manifests = try await fixture.manifests()
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
            let deadLetters = try await fixture.deadLetters()
            #expect(deadLetters.map(\.attempts) == [4] && deadLetters.map(\.topic) == [Topics.retry])
            #expect(deadLetters.map(\.value) == [victim.encoded()])
            #expect(try fixture.markers().isEmpty)
            for topic in [Topics.bulkJobs, Topics.retry] { #expect(try await fixture.unfinished(topic) == 0) }
        }

        @Test("A hanging render process is killed at the deadline, and the next attempt completes the job")
        func hanging() async throws {
            let fixture = try await WorkerFixture()
            var settings = fixture.settings
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
            try await fixture.submit([try fixture.job(try fixture.sample(1))])
            try await fixture.work(settings, watcher: watcher, until: hasEnded(1))
            #expect(
                watcher.events.contains {
                    if case .retried(_, let failure, _) = $0 { failure.reason == .timeout } else { false }
                })
            let manifest = try #require(try await fixture.manifests().first)
            guard case .completed = manifest.outcome else {
                Issue.record("\(manifest.outcome)")
                return
            }
            #expect(manifest.attempts == 2)
        }

        @Test(
            "A job during whose render the worker ended starts later, after all jobs before it, and all of them complete"
        )
        func lastStart() async throws {
            let fixture = try await WorkerFixture()
            let jobs = try (1...6).map { try fixture.job(try fixture.sample($0)) }
            let cursed = jobs[3].id
            for number in 1...UInt32(2) {
                let name = Array("\(cursed).0.\(number)".utf8)
                #expect(try fixture.createMarker(name))
            }
            try await fixture.submit(jobs)
            let begin = ContinuousClock.now
            let startTime = Mutex(ContinuousClock.now)
            let watcher = Watcher { event in
                if case .started(let job, _, _) = event, job.id == cursed {
                    startTime.withLock { $0 = ContinuousClock.now }
                }
            }
            try await fixture.work(watcher: watcher, until: hasEnded(jobs.count))
            // Twice is no proof: the worker must first be up for a second.
            #expect(startTime.withLock { $0 } - begin >= .seconds(1))
            var open: Set<JobID> = []
            for event in watcher.events {
                if case .ended(let manifest, _) = event { open.remove(manifest.job) }
                guard case .started(let job, _, _) = event else { continue }
                #expect(job.id != cursed || open.isEmpty)
                open.insert(job.id)
            }
            #expect(Set(watcher.ended.map(\.job)) == Set(jobs.map(\.id)))
            #expect(try fixture.markers().isEmpty)
        }

        @Test("A job during whose render the worker ended six times is parked, and the next one completes", .night)
        func tooManyStarts() async throws {
            let fixture = try await WorkerFixture()
            let cursed = try fixture.job(try fixture.sample(1))
            let fine = try fixture.job(try fixture.sample(2))
            for number in 1...UInt32(6) {
                let name = Array("\(cursed.id).0.\(number)".utf8)
                #expect(try fixture.createMarker(name))
            }
            try await fixture.submit([cursed, fine])
            try await fixture.work(until: hasEnded(2))
            let manifest = try #require(try await fixture.manifests().first { $0.job == cursed.id })
            guard case .failed(let failure) = manifest.outcome else {
                Issue.record("\(manifest.outcome)")
                return
            }
            #expect(failure.reason == .tooManyStarts)
            #expect(try await fixture.deadLetters().count == 1)
            #expect(try fixture.markers().isEmpty)
        }
    }
}
