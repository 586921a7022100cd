import Broker
import Foundation
import Glibc
import Jobs
import Manifests
import Processes
import Records
import Samples
import SeededRandom
import Storage
import Testing

@testable import Worker

extension ProcessTests {
    /// Workers that are killed at random moments.
    @Suite struct KilledWorkerTests {
        private var host: String {
            URL(fileURLWithPath: WorkerFixture.program).deletingLastPathComponent().appending(path: "worker-host").path
        }

        private func start(_ folder: String) throws -> pid_t {
            var child: pid_t = 0
            let arguments = [strdup(host), strdup(folder), nil]
            defer { for argument in arguments { free(argument) } }
            try #require(posix_spawn(&child, host, nil, nil, arguments, environ) == 0)
            return child
        }

        /// Every process whose command line contains the folder.
        private func processes(_ folder: String) -> [pid_t] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return all.compactMap { pid_t($0) }.filter { pid in
                let line = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/cmdline"))) ?? Data()
                return String(decoding: line, as: UTF8.self).contains(folder)
            }
        }

        /// Whether a render process will end with its worker: it raises its score right after it requested that.
        private func isTiedToWorker(_ pid: pid_t) -> Bool {
            let text = try? String(contentsOfFile: "/proc/\(pid)/oom_score_adj", encoding: .utf8)
            return text?.trimmingCharacters(in: .whitespacesAndNewlines) == "\(CurrentProcess.raisedOOMScore)"
        }

        /// Waits until no process of the folder is left. A busy machine needs a while to end one.
        private func allEnd(_ folder: String) async throws -> Bool {
            for _ in 0..<6000 {
                if processes(folder).isEmpty { return true }
                try await Task.sleep(for: .milliseconds(10))
            }
            return false
        }

        @Test("Twelve kill -9 of a worker lose no job, leave no process, and repeat only jobs in flight")
        func kills() async throws {
            let fixture = try await WorkerFixture()
            let path = fixture.folder + "/broker.sqlite"
            let jobs = try (0..<16).map { try fixture.job(try fixture.sample($0, megapixels: 0.5)) }
            let broker = try await EmbeddedBroker.open(path: path)
            try await broker.create(Topics.local)
            try await fixture.submit(jobs, to: broker)
            await broker.close()

            let seed = UInt64.random(in: 0...UInt64.max)
            print("seed \(seed)")
            var random = SeededGenerator(seed: seed)
            for _ in 0..<12 {
                let child = try start(fixture.folder)
                usleep(UInt32(100_000 + random.next() % 500_000))
                kill(child, SIGKILL)
                var status: Int32 = 0
                #expect(waitpid(child, &status, 0) == child)
                #expect(try await allEnd(fixture.folder))
            }
            try await finish(fixture, path, jobs)
        }

        private func finish(_ fixture: WorkerFixture, _ path: String, _ jobs: [Job]) async throws {
            let broker = try await EmbeddedBroker.open(path: path)
            let last = try RenderWorker(settings: fixture.settings, transport: broker, roots: fixture.roots)
            let running = Task { try await last.run() }
            let end = ContinuousClock.now + .seconds(300)
            while try await fixture.unfinished(Topics.bulkJobs, of: broker) > 0 {
                try #require(ContinuousClock.now < end)
                try await Task.sleep(for: .milliseconds(50))
            }
            last.stop()
            try await running.value
            let manifests = try await fixture.manifests(of: broker)
            try check(fixture, jobs, manifests)
            await broker.close()
        }

        private func check(_ fixture: WorkerFixture, _ jobs: [Job], _ manifests: [Manifest]) throws {
            #expect(Set(manifests.map(\.job)) == Set(jobs.map(\.id)))
            // In flight at each kill: two jobs that render, and two that are being completed.
            #expect(manifests.count <= jobs.count + 12 * 4)
            var referenced: Set<String> = []
            for manifest in manifests {
                guard case .completed(let renditions) = manifest.outcome else {
                    Issue.record("\(manifest.outcome)")
                    continue
                }
                for file in renditions.flatMap({ [$0.photo, $0.preview] }) {
                    #expect(try fixture.library.digest(of: file.path.bytes).digest == file.digest)
                    referenced.insert(file.path.description)
                }
            }
            #expect(Set(try fixture.files().keys) == referenced)
            #expect(try fixture.markers().isEmpty)
        }

        @Test("A render process ends with its worker, even if it is stopped or idle")
        func orphans() async throws {
            let fixture = try await WorkerFixture()
            let child = try start(fixture.folder)
            let end = ContinuousClock.now + .seconds(60)
            var renderers: [pid_t] = []
            while renderers.count < 2, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(10))
                renderers = processes(fixture.folder).filter { $0 != child && isTiedToWorker($0) }
            }
            #expect(renderers.count == 2)
            defer { for pid in processes(fixture.folder) where renderers.contains(pid) { kill(pid, SIGKILL) } }
            if let first = renderers.first { kill(first, SIGSTOP) }
            kill(child, SIGKILL)
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child)
            #expect(try await allEnd(fixture.folder))
        }
    }

    @Suite struct DamagedFileTests {
        @Test("A hundred damaged RAWs each end with a reason or a photo, and the valid one among them completes")
        func damaged() async throws {
            let fixture = try await WorkerFixture()
            let seed = UInt64.random(in: 0...UInt64.max)
            print("seed \(seed)")
            var random = SeededGenerator(seed: seed)
            let whole = Sample.dng(index: 1, size: Sample.size(megapixels: 0.05))
            var jobs: [Job] = []
            for number in 0..<100 {
                jobs.append(try fixture.job(try fixture.put(damage(whole, number, &random), at: "\(number).dng")))
            }
            jobs.append(try fixture.job(try fixture.put(whole, at: "good.dng")))
            try await fixture.submit(jobs)
            var settings = fixture.settings
            settings.deadline = .seconds(20)
            settings.breakerThreshold = nil
            settings.retryDelay = .milliseconds(5)
            let count = jobs.count
            try await fixture.work(settings, until: hasEnded(count))
            let manifests = try await fixture.manifests()
            #expect(Set(manifests.map(\.job)) == Set(jobs.map(\.id)) && manifests.count == count)
            var reasons: [FailureReason: Int] = [:]
            for manifest in manifests {
                if case .failed(let failure) = manifest.outcome { reasons[failure.reason, default: 0] += 1 }
            }
            print(reasons.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ", "))
            #expect(reasons[.internalError] == nil && reasons[.storageUnavailable] == nil)
            let good = try #require(manifests.first { $0.job == jobs.last?.id })
            guard case .completed = good.outcome else {
                Issue.record("\(good.outcome)")
                return
            }
            #expect(try fixture.markers().isEmpty)
        }

        /// Truncated, with some bits flipped, or with a random header.
        private func damage(_ whole: [UInt8], _ number: Int, _ random: inout SeededGenerator) -> [UInt8] {
            var bytes = whole
            func index(_ limit: Int, _ random: inout SeededGenerator) -> Int { Int(random.next() % UInt64(limit)) }
            switch number % 3 {
            case 0: return Array(bytes.prefix(index(bytes.count, &random)))
            case 1:
                for _ in 0..<20 { bytes[index(bytes.count, &random)] ^= 1 << UInt8(random.next() % 8) }
            default:
                for _ in 0..<4 { bytes[index(600, &random)] = UInt8(truncatingIfNeeded: random.next()) }
            }
            return bytes
        }
    }
}
