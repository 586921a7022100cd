import Broker
import Foundation
import Glibc
import Jobs
import Manifests
import Records
import Samples
import Storage
import Testing

@testable import Worker

extension ProcessTests {
    /// A worker that is killed at random moments, as a whole and in parts.
    @Suite struct KilledWorkerTests {
        private var host: String {
            URL(fileURLWithPath: WorkerFixture.program).deletingLastPathComponent().appending(path: "worker-host").path
        }

        private func start(_ folder: String) throws -> pid_t {
            var child: pid_t = 0
            let words = [strdup(host), strdup(folder), nil]
            defer { for word in words { free(word) } }
            try #require(posix_spawn(&child, host, nil, nil, words, environ) == 0)
            return child
        }

        /// Every process whose command line names the folder.
        private func processes(_ folder: String) -> [pid_t] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return all.compactMap { pid_t($0) }.filter { pid in
                let words = (try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/cmdline"))) ?? Data()
                return String(decoding: words, as: UTF8.self).contains(folder)
            }
        }

        /// A render process volunteers for the kernel's memory killer after it has tied its life to its worker's.
        private func isReady(_ pid: pid_t) -> Bool {
            let words = try? String(contentsOfFile: "/proc/\(pid)/oom_score_adj", encoding: .utf8)
            return words?.hasPrefix("800") == true
        }

        /// True when none is left, soon: a busy machine takes its time to end one.
        private func allEnd(_ folder: String) async throws -> Bool {
            for _ in 0..<6000 {
                if processes(folder).isEmpty { return true }
                try await Task.sleep(for: .milliseconds(10))
            }
            return false
        }

        @Test("Twelve kill -9 of a worker lose no job, leave no process, and redo only what was in flight")
        func kills() async throws {
            let shop = try await WorkerFixture()
            let path = shop.folder + "/broker.sqlite"
            let jobs = try (0..<16).map { try shop.job(try shop.sample($0, megapixels: 0.5)) }
            let broker = try await EmbeddedBroker.open(path: path)
            try await broker.create(Topics.onOneMachine)
            try await shop.submit(jobs, to: broker)
            await broker.close()

            let seed = UInt64.random(in: 0...UInt64.max)
            print("seed \(seed)")
            var random = SplitMix64(seed: seed)
            for _ in 0..<12 {
                let child = try start(shop.folder)
                usleep(UInt32(100_000 + random.next() % 500_000))
                kill(child, SIGKILL)
                var status: Int32 = 0
                #expect(waitpid(child, &status, 0) == child)
                #expect(try await allEnd(shop.folder))
            }
            try await finish(shop, path, jobs)
        }

        private func finish(_ shop: WorkerFixture, _ path: String, _ jobs: [Job]) async throws {
            let broker = try await EmbeddedBroker.open(path: path)
            let last = try RenderWorker(settings: lastSettings(shop), transport: broker, roots: shop.roots)
            let running = Task { try await last.run() }
            let end = ContinuousClock.now + .seconds(300)
            while try await shop.unfinished(Topics.bulkJobs, of: broker) > 0 {
                try #require(ContinuousClock.now < end)
                try await Task.sleep(for: .milliseconds(50))
            }
            last.stop()
            try await running.value
            let manifests = try await shop.manifests(of: broker)
            try check(shop, jobs, manifests)
            await broker.close()
        }

        private func lastSettings(_ shop: WorkerFixture) -> WorkerSettings {
            var settings = shop.settings
            settings.starts = 1000
            return settings
        }

        private func check(_ shop: WorkerFixture, _ jobs: [Job], _ manifests: [Manifest]) throws {
            #expect(Set(manifests.map(\.job)) == Set(jobs.map(\.id)))
            // In flight at each kill: two that render, and two that are being settled.
            #expect(manifests.count <= jobs.count + 12 * 4)
            var named: Set<String> = []
            for manifest in manifests {
                guard case .completed(let renditions) = manifest.outcome else {
                    Issue.record("\(manifest.outcome)")
                    continue
                }
                for file in renditions.flatMap({ [$0.photo, $0.preview] }) {
                    #expect(try shop.library.digest(of: file.path.bytes).digest == file.digest)
                    named.insert(file.path.description)
                }
            }
            #expect(Set(try shop.files().keys) == named)
            #expect(try shop.markers().isEmpty)
        }

        @Test("A render process ends with its worker, also when it is stopped or has nothing to do")
        func orphans() async throws {
            let shop = try await WorkerFixture()
            let child = try start(shop.folder)
            let end = ContinuousClock.now + .seconds(60)
            var renderers: [pid_t] = []
            while renderers.count < 2, ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(10))
                renderers = processes(shop.folder).filter { $0 != child && isReady($0) }
            }
            #expect(renderers.count == 2)
            defer { for pid in processes(shop.folder) where renderers.contains(pid) { kill(pid, SIGKILL) } }
            if let first = renderers.first { kill(first, SIGSTOP) }
            kill(child, SIGKILL)
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child)
            #expect(try await allEnd(shop.folder))
        }
    }

    @Suite struct DamagedFileTests {
        @Test("A hundred damaged RAWs each end with a reason or a photo, and the good one among them is done")
        func damaged() async throws {
            let shop = try await WorkerFixture()
            let seed = UInt64.random(in: 0...UInt64.max)
            print("seed \(seed)")
            var random = SplitMix64(seed: seed)
            let whole = Sample.dng(index: 1, size: Sample.size(megapixels: 0.05))
            var jobs: [Job] = []
            for number in 0..<100 {
                jobs.append(try shop.job(try shop.put(damage(whole, number, &random), at: "\(number).dng")))
            }
            jobs.append(try shop.job(try shop.put(whole, at: "good.dng")))
            try await shop.submit(jobs)
            var settings = shop.settings
            settings.deadline = .seconds(20)
            settings.breaker = nil
            settings.retryDelay = .milliseconds(5)
            let count = jobs.count
            try await shop.work(settings, until: hasEnded(count))
            let manifests = try await shop.manifests()
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
            #expect(try shop.markers().isEmpty)
        }

        /// Cut short, with bits turned, or with a header that lies.
        private func damage(_ whole: [UInt8], _ number: Int, _ random: inout SplitMix64) -> [UInt8] {
            var bytes = whole
            func place(_ limit: Int, _ random: inout SplitMix64) -> Int { Int(random.next() % UInt64(limit)) }
            switch number % 3 {
            case 0: return Array(bytes.prefix(place(bytes.count, &random)))
            case 1:
                for _ in 0..<20 { bytes[place(bytes.count, &random)] ^= 1 << UInt8(random.next() % 8) }
            default:
                for _ in 0..<4 { bytes[place(600, &random)] = UInt8(truncatingIfNeeded: random.next()) }
            }
            return bytes
        }
    }
}

/// Sebastiano Vigna's SplitMix64 (2015): a seed says everything that follows.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
