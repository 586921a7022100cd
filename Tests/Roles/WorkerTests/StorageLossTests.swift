import Broker
import Foundation
import Glibc
import Jobs
import Manifests
import Storage
import Testing

@testable import Worker

extension ProcessTests {
    /// A library on a disk that fills up.
    @Suite struct StorageLossTests {
        /// Nil where mounting is not allowed.
        private func mountLibrary(_ shop: WorkerFixture, bytes: Int) -> Roots? {
            let path = shop.folder + "/small"
            mkdir(path, 0o755)
            guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0, let root = try? Root(path: path) else {
                print("skipped: a small file system cannot be mounted here")
                return nil
            }
            return Roots(["archive": shop.archive, "library": root])
        }

        private func fill(_ path: String) {
            let file = open(path + "/ballast", O_WRONLY | O_CREAT, 0o600)
            let block = [UInt8](repeating: 1, count: 1 << 16)
            while write(file, block, block.count) > 0 {}
            close(file)
        }

        @Test("A full disk keeps the jobs and stops the pulling; with space again they are done, none is failed")
        func comesBack() async throws {
            let shop = try await WorkerFixture()
            guard let roots = mountLibrary(shop, bytes: 96 << 20) else { return }
            defer { umount2(shop.folder + "/small", Int32(MNT_DETACH)) }
            fill(shop.folder + "/small")
            try await shop.submit(try (0..<4).map { try shop.job(try shop.sample($0)) })
            let watcher = Watcher()
            let worker = try RenderWorker(settings: shop.settings, transport: shop.broker, roots: roots) {
                watcher.note($0)
            }
            let running = Task { try await worker.run() }
            try await watcher.wait { events in
                events.contains {
                    if case .paused(.storage(let failure)) = $0 { failure.reason == .diskFull } else { false }
                }
            }
            unlink(shop.folder + "/small/ballast")
            try await watcher.wait { _ in watcher.ended.count == 4 }
            worker.stop()
            try await running.value
            #expect(watcher.ended.allSatisfy { if case .completed = $0.outcome { true } else { false } })
            #expect(watcher.events.contains(.resumed))
            #expect(try await shop.deadLetters().isEmpty)
        }

        @Test("Where the worker may not wait, it ends with the reason and keeps the jobs")
        func ends() async throws {
            let shop = try await WorkerFixture()
            guard let roots = mountLibrary(shop, bytes: 4 << 20) else { return }
            defer { umount2(shop.folder + "/small", Int32(MNT_DETACH)) }
            fill(shop.folder + "/small")
            try await shop.submit(try (0..<4).map { try shop.job(try shop.sample($0)) })
            var settings = shop.settings
            settings.withoutStorage = .end
            let worker = try RenderWorker(settings: settings, transport: shop.broker, roots: roots)
            do {
                try await worker.run()
                Issue.record("it did not say so")
            } catch WorkerError.storage(let failure) {
                #expect(failure.reason == .diskFull)
            }
            #expect(try await shop.unfinished(Topics.bulkJobs) == 4)
            #expect(try await shop.manifests().isEmpty)
            #expect(renderProcesses().isEmpty)
        }
    }
}
