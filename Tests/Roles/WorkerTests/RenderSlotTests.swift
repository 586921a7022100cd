import Foundation
import Glibc
import Jobs
import Manifests
import Processes
import RenderHost
import RenderJobs
import Storage
import Testing

@testable import Worker

extension ProcessTests {
    /// One render process and its possible faults.
    @Suite struct RenderSlotTests {
        private func renditions(_ outcome: RenderOutcome, in library: Root? = nil) throws -> RenderedFrames {
            guard case .replied(let reply, let files) = outcome, case .completed(let renditions) = reply.outcome else {
                Issue.record("not completed: \(outcome)")
                return []
            }
            for result in try library?.publish(files) ?? [] { _ = try result.get() }
            return renditions
        }

        @Test(
            "A process's renditions have no names before the worker names them; the same bytes need no second name"
        )
        func unnamed() async throws {
            let fixture = try await WorkerFixture()
            let slot = try fixture.slot()
            let job = try fixture.job(try fixture.sample(1))
            let outcome = await slot.render(job, deadline: .seconds(60))
            guard case .replied(_, let files) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(try fixture.files().isEmpty)
            let rendition = try #require(try renditions(outcome, in: fixture.library).first)
            #expect(files.map(\.path) == [rendition.preview.path.bytes, rendition.photo.path.bytes])
            for file in [rendition.photo, rendition.preview] {
                #expect(try fixture.library.digest(of: file.path.bytes).digest == file.digest)
            }
            let again = await slot.render(job, deadline: .seconds(60))
            guard case .replied(_, let same) = again else {
                Issue.record("\(again)")
                return
            }
            #expect(try fixture.library.publish(same).map { try $0.get().outcome } == [.identical, .identical])
            #expect(try renditions(again).first?.photo == rendition.photo)
            await slot.retire()
        }

        @Test("A source is found in a folder that was mounted after the process started")
        func mountedLater() async throws {
            let fixture = try await WorkerFixture()
            let job = try fixture.job(try fixture.sample(1))
            let (path, away) = (fixture.archive.path, fixture.archive.path + ".away")
            let manager = FileManager.default
            try manager.moveItem(atPath: path, toPath: away)
            try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
            let slot = try fixture.slot()
            guard case .refused(let failure) = await slot.render(job, deadline: .seconds(60)) else {
                Issue.record("rendered without a source")
                return
            }
            #expect(failure.reason == .sourceMissing)
            let processes = renderProcesses()
            try manager.removeItem(atPath: path)
            try manager.moveItem(atPath: away, toPath: path)
            #expect(try renditions(await slot.render(job, deadline: .seconds(60))).count == 1)
            #expect(renderProcesses() == processes)
            await slot.retire()
        }

        @Test("A process prepares itself without a job, and renders many")
        func many() async throws {
            let fixture = try await WorkerFixture()
            let slot = try fixture.slot()
            try await slot.warm()
            let processes = renderProcesses()
            #expect(processes.count == 1)
            for index in 0..<5 {
                let job = try fixture.job(try fixture.sample(index))
                let renditions = try renditions(await slot.render(job, deadline: .seconds(60)))
                #expect(renditions.count == 1)
            }
            #expect(renderProcesses() == processes)
            await slot.retire()
            #expect(renderProcesses().isEmpty)
        }

        @Test("A new process and one that rendered before write the same bytes")
        func deterministic() async throws {
            var all: [[String: Data]] = []
            for warmUps in [0, 3] {
                let fixture = try await WorkerFixture()
                let slot = try fixture.slot()
                for index in 0..<warmUps {
                    _ = await slot.render(try fixture.job(try fixture.sample(10 + index)), deadline: .seconds(60))
                }
                let raw = try fixture.sample(1)
                let job = try fixture.job(try fixture.dated(raw))
                let outcome = await slot.render(job, deadline: .seconds(60))
                let rendition = try #require(try renditions(outcome, in: fixture.library).first)
                let paths = [rendition.photo.path.description, rendition.preview.path.description]
                all.append(try fixture.files().filter { paths.contains($0.key) })
            }
            #expect(all[0].count == 2)
            #expect(all[0] == all[1])
        }

        @Test("kill -9 of a working process fails its job with the signal; the next job gets a new process")
        func killed() async throws {
            let fixture = try await WorkerFixture()
            let slot = try fixture.slot()
            try await slot.warm()
            let first = try #require(renderProcesses().first)
            kill(first, SIGSTOP)
            let job = try fixture.job(try fixture.sample(1))
            async let outcome = slot.render(job, deadline: .seconds(60))
            // It is not visible from outside that the slot waits for the reply.
            try await Task.sleep(for: .milliseconds(150))
            kill(first, SIGKILL)
            #expect(await outcome == .died(.signalled(SIGKILL)))
            #expect(try renditions(await slot.render(job, deadline: .seconds(60))).count == 1)
            #expect(renderProcesses() != [first])
            await slot.retire()
        }

        @Test("A process that hangs is killed at the deadline")
        func hangs() async throws {
            let fixture = try await WorkerFixture()
            let slot = try fixture.slot()
            try await slot.warm()
            kill(try #require(renderProcesses().first), SIGSTOP)
            let job = try fixture.job(try fixture.sample(1))
            let start = ContinuousClock.now
            #expect(
                await slot.render(job, deadline: .milliseconds(300))
                    == .timedOut(.milliseconds(300), wasComputing: false))
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(renderProcesses().isEmpty)
        }

        @Test("A process's processor time is that of its threads, and unknown after its end")
        func processorTime() throws {
            let before = try #require(ProcessorTime.used(by: getpid()))
            let start = clock()
            while clock() - start < 50_000 {}
            #expect(try #require(ProcessorTime.used(by: getpid())) - before >= .milliseconds(40))
            #expect(ProcessorTime.used(by: 4_194_303) == nil)
        }

        @Test("A process that exceeds its memory limit is killed")
        func memory() async throws {
            let fixture = try await WorkerFixture()
            // The limit is below the program's own needs, and the photo is large: the limit is exceeded for long
            // enough.
            let slot = try fixture.slot { $0.memoryLimitBytes = 16 << 20 }
            let job = try fixture.job(try fixture.sample(1, megapixels: 12))
            guard case .outOfMemory(let bytes) = await slot.render(job, deadline: .seconds(60)) else {
                Issue.record("it was not killed")
                return
            }
            #expect(bytes > 16 << 20)
        }

        @Test("An aborted slot kills its process at once and starts no other")
        func aborted() async throws {
            let fixture = try await WorkerFixture()
            let slot = try fixture.slot()
            try await slot.warm()
            kill(try #require(renderProcesses().first), SIGSTOP)
            let job = try fixture.job(try fixture.sample(1))
            async let outcome = slot.render(job, deadline: .seconds(60))
            // It is not visible from outside that the slot waits for the reply.
            try await Task.sleep(for: .milliseconds(100))
            slot.abort()
            #expect(await outcome == .aborted)
            #expect(await slot.render(job, deadline: .seconds(60)) == .aborted)
            #expect(renderProcesses().isEmpty)
        }

        private func reason(_ body: () async throws -> Void) async -> String {
            do {
                try await body()
                return "it is warm"
            } catch let error as HostedProcessError {
                return error.description
            } catch {
                return "\(error)"
            }
        }

        @Test("The reason is given if the program cannot be started, or the library is missing")
        func cannotStart() async throws {
            let fixture = try await WorkerFixture()
            let missing = try fixture.slot { $0.program = RenderProgram(path: "/nonexistent", level: nil) }
            #expect(await reason { try await missing.warm() }.hasPrefix("/nonexistent is missing: reinstall"))
            let wrong = try fixture.slot { $0.program = RenderProgram(path: "/bin/true", level: nil) }
            #expect(await reason { try await wrong.warm() }.contains("exited immediately"))
            try FileManager.default.removeItem(atPath: fixture.library.path)
            let gone = try fixture.slot()
            #expect(await reason { try await gone.warm() }.contains("does not exist"))
        }

        @Test("A process has its own process group, no blocked signal, and no foreign descriptor")
        func isolated() async throws {
            let fixture = try await WorkerFixture()
            let extra = open("/etc/passwd", O_RDONLY)
            defer { close(extra) }
            let slot = try fixture.slot()
            try await slot.warm()
            let pid = try #require(renderProcesses().first)
            #expect(getpgid(pid) == pid)
            let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
            #expect(status.contains("SigBlk:\t0000000000000000"))
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/fd").map { name in
                try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/fd/\(name)")
            }
            #expect(!open.contains("/etc/passwd"))
            #expect(open.filter { $0.hasPrefix("socket:") }.count == 1)
            #expect(Set(open.filter { $0.hasPrefix("/") }) == ["/dev/null"])
            let limits = try String(contentsOfFile: "/proc/\(pid)/limits", encoding: .utf8)
            #expect(limits.split(separator: "\n").contains { $0.hasPrefix("Max core file size") && $0.contains(" 0 ") })
            await slot.retire()
        }
    }
}
