import Broker
import ExternalTools
import Foundation
import Glibc
import Jobs
import Manifests
import Storage
import Testing

@testable import Worker

extension ProcessTests {
    /// A library on a small file system that fills up.
    @Suite(.needs(.mounting)) struct StorageLossTests {
        private func mountLibrary(_ fixture: WorkerFixture, bytes: Int) throws -> Roots {
            let path = fixture.folder + "/small"
            mkdir(path, 0o755)
            try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0)
            return Roots(["archive": fixture.archive, "library": try Root(path: path)])
        }

        private func fill(_ path: String) {
            let file = open(path + "/ballast", O_WRONLY | O_CREAT, 0o600)
            let block = [UInt8](repeating: 1, count: 1 << 16)
            while write(file, block, block.count) > 0 {}
            close(file)
        }

        @Test("A full disk keeps the jobs and starts none; with free space they complete, and none has failed")
        func comesBack() async throws {
            let fixture = try await WorkerFixture()
            let roots = try mountLibrary(fixture, bytes: 96 << 20)
            defer { umount2(fixture.folder + "/small", Int32(MNT_DETACH)) }
            fill(fixture.folder + "/small")
            try await fixture.submit(try (0..<4).map { try fixture.job(try fixture.sample($0)) })
            let watcher = Watcher()
            let worker = try RenderWorker(settings: fixture.settings, transport: fixture.broker, roots: roots) {
                watcher.note($0)
            }
            let running = Task { try await worker.run() }
            try await watcher.wait { events in
                events.contains {
                    if case .paused(.storage(let failure)) = $0 { failure.reason == .diskFull } else { false }
                }
            }
            unlink(fixture.folder + "/small/ballast")
            try await watcher.wait { _ in watcher.ended.count == 4 }
            worker.stop()
            try await running.value
            #expect(watcher.ended.allSatisfy { if case .completed = $0.outcome { true } else { false } })
            #expect(watcher.events.contains(.resumed))
            #expect(try await fixture.deadLetters().isEmpty)
        }

        @Test("A worker that may not wait ends with the reason, and keeps the jobs")
        func ends() async throws {
            let fixture = try await WorkerFixture()
            let roots = try mountLibrary(fixture, bytes: 4 << 20)
            defer { umount2(fixture.folder + "/small", Int32(MNT_DETACH)) }
            fill(fixture.folder + "/small")
            try await fixture.submit(try (0..<4).map { try fixture.job(try fixture.sample($0)) })
            var settings = fixture.settings
            settings.onStorageLoss = .end
            let worker = try RenderWorker(settings: settings, transport: fixture.broker, roots: roots)
            do {
                try await worker.run()
                Issue.record("it ended without an error")
            } catch WorkerError.storage(let failure) {
                #expect(failure.reason == .diskFull)
            }
            #expect(try await fixture.unfinished(Topics.bulkJobs) == 4)
            #expect(try await fixture.manifests().isEmpty)
            #expect(renderProcesses().isEmpty)
        }
    }
}
