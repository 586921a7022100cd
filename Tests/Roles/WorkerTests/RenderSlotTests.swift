import Foundation
import Glibc
import Jobs
import Manifests
import Storage
import Processes
import Testing

@testable import Worker

extension ProcessTests {
    /// One render process and what can happen to it.
    @Suite struct RenderSlotTests {
        private func renditions(_ outcome: SlotOutcome) throws -> [Rendition] {
            guard case .replied(let reply) = outcome, case .completed(let renditions) = reply.outcome else {
                Issue.record("not completed: \(outcome)")
                return []
            }
            return renditions
        }

        @Test("A process is warm before it gets a job, and renders many")
        func many() async throws {
            let shop = try await WorkerFixture()
            let slot = try shop.slot()
            #expect(await slot.warm() == nil)
            let processes = renderProcesses()
            #expect(processes.count == 1)
            for index in 0..<5 {
                let job = try shop.job(try shop.sample(index))
                let renditions = try renditions(await slot.render(job, deadline: .seconds(60)))
                #expect(renditions.count == 1)
            }
            #expect(renderProcesses() == processes)
            await slot.retire()
            #expect(renderProcesses().isEmpty)
        }

        @Test("The same bytes come from a cold process, a warm one, and another one")
        func deterministic() async throws {
            var all: [[String: Data]] = []
            for warmUps in [0, 3] {
                let shop = try await WorkerFixture()
                let slot = try shop.slot()
                for index in 0..<warmUps {
                    _ = await slot.render(try shop.job(try shop.sample(10 + index)), deadline: .seconds(60))
                }
                let raw = try shop.sample(1)
                let job = try shop.job(try shop.dated(raw))
                let rendition = try #require(try renditions(await slot.render(job, deadline: .seconds(60))).first)
                let wanted = [rendition.photo.path.description, rendition.preview.path.description]
                all.append(try shop.files().filter { wanted.contains($0.key) })
            }
            #expect(all[0].count == 2)
            #expect(all[0] == all[1])
        }

        @Test("kill -9 of a process at work fails its job with the signal; the next job gets a fresh process")
        func killed() async throws {
            let shop = try await WorkerFixture()
            let slot = try shop.slot()
            #expect(await slot.warm() == nil)
            let first = try #require(renderProcesses().first)
            kill(first, SIGSTOP)
            let job = try shop.job(try shop.sample(1))
            async let outcome = slot.render(job, deadline: .seconds(60))
            try await Task.sleep(for: .milliseconds(150))
            kill(first, SIGKILL)
            #expect(await outcome == .died(.signalled(SIGKILL)))
            #expect(try renditions(await slot.render(job, deadline: .seconds(60))).count == 1)
            #expect(renderProcesses() != [first])
            await slot.retire()
        }

        @Test("A process that hangs is killed at the deadline")
        func hangs() async throws {
            let shop = try await WorkerFixture()
            let slot = try shop.slot()
            #expect(await slot.warm() == nil)
            kill(try #require(renderProcesses().first), SIGSTOP)
            let job = try shop.job(try shop.sample(1))
            let start = ContinuousClock.now
            #expect(await slot.render(job, deadline: .milliseconds(300)) == .timedOut(.milliseconds(300)))
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(renderProcesses().isEmpty)
        }

        @Test("A process that takes more memory than it may is killed")
        func memory() async throws {
            let shop = try await WorkerFixture()
            // A large photo under a limit below what the program itself needs: the watch has to see it.
            let slot = try shop.slot { $0.memoryLimitBytes = 16 << 20 }
            let job = try shop.job(try shop.sample(1, megapixels: 12))
            guard case .outOfMemory(let bytes) = await slot.render(job, deadline: .seconds(60)) else {
                Issue.record("it was not noticed")
                return
            }
            #expect(bytes > 16 << 20)
        }

        @Test("An aborted slot kills its process at once and starts no other")
        func aborted() async throws {
            let shop = try await WorkerFixture()
            let slot = try shop.slot()
            #expect(await slot.warm() == nil)
            kill(try #require(renderProcesses().first), SIGSTOP)
            let job = try shop.job(try shop.sample(1))
            async let outcome = slot.render(job, deadline: .seconds(60))
            try await Task.sleep(for: .milliseconds(100))
            slot.abort()
            #expect(await outcome == .aborted)
            #expect(await slot.render(job, deadline: .seconds(60)) == .aborted)
            #expect(renderProcesses().isEmpty)
        }

        @Test("A program that is none, and a library that is gone, are said")
        func cannotStart() async throws {
            let shop = try await WorkerFixture()
            let missing = try shop.slot { $0.program = RenderProgram(path: "/nonexistent", level: nil) }
            #expect(await missing.warm() == "No such file or directory")
            let wrong = try shop.slot { $0.program = RenderProgram(path: "/bin/true", level: nil) }
            #expect(try #require(await wrong.warm()).contains("ended at once"))
            try FileManager.default.removeItem(atPath: shop.library.path)
            let gone = try shop.slot()
            #expect(try #require(await gone.warm()).contains("does not exist"))
        }

        @Test("A process has its own group, no signal blocked, and no descriptor but its own")
        func isolated() async throws {
            let shop = try await WorkerFixture()
            let extra = open("/etc/passwd", O_RDONLY)
            defer { close(extra) }
            let slot = try shop.slot()
            #expect(await slot.warm() == nil)
            let pid = try #require(renderProcesses().first)
            #expect(getpgid(pid) == pid)
            let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            #expect(status.contains("SigBlk:\t0000000000000000"))
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").map { name in
                try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(name)")
            }
            #expect(!open.contains("/etc/passwd"))
            #expect(open.filter { $0.hasPrefix("socket:") }.count == 1)
            #expect(Set(open.filter { $0.hasPrefix("/") }) == ["/dev/null", shop.archive.path, shop.library.path])
            let limits = try String(contentsOfFile: "/proc/\(pid)/limits", encoding: .utf8)
            #expect(limits.split(separator: "\n").contains { $0.hasPrefix("Max core file size") && $0.contains(" 0 ") })
            await slot.retire()
        }
    }
}
