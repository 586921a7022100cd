import Broker
import ExternalTools
import Foundation
import Glibc
import Testing

extension ClusterTests {
    /// A worker whose storage disappears and returns.
    @Suite struct StorageTests {
        /// The library as seen by one worker: its own mount, which can become read-only for it alone.
        private final class BindMount {
            let path: String

            init(of library: URL, at folder: URL) throws {
                path = folder.path
                mkdir(path, 0o755)
                try #require(mount(library.path, path, nil, UInt(MS_BIND), nil) == 0)
            }

            deinit { umount2(path, Int32(MNT_DETACH)) }

            /// False while a process writes there.
            func setWritable(_ isWritable: Bool) -> Bool {
                mount(nil, path, nil, UInt(MS_BIND | MS_REMOUNT) | (isWritable ? 0 : UInt(MS_RDONLY)), nil) == 0
            }
        }

        @Test(
            "It stops pulling, reports it, and continues automatically; no job fails and none is lost",
            .needs(.mounting))
        func comesBack() async throws {
            let cluster = try TestCluster(.mock)
            let mount = try BindMount(of: cluster.library, at: cluster.folder.appending(path: "mount"))
            try cluster.makeSources(20)
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let worker = try cluster.start(
                "worker", ["-j", "2", "--null-renderer", "--name", "cut-off"], library: mount.path)
            #expect(worker.wait(for: "event=worker.started"))
            #expect(cluster.wait { mount.setWritable(false) })
            let batch = try cluster.submit("archive/shoot")
            #expect(worker.wait(for: "event=storage.unavailable"), "\(worker.errorsSoFar)")
            #expect(try cluster.waitForWorker("cut-off") { $0["state"] as? String == "waiting for storage" })
            #expect(try cluster.waitForStatus(batch) { $0["open"] as? Int == 20 })

            #expect(mount.setWritable(true))
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 20 })
            #expect(worker.wait(for: "event=worker.resumed"))
            #expect(cluster.wait { cluster.shownPhotos.count == 20 })
            #expect(try await cluster.records(of: Topics.deadLetter).isEmpty)
            #expect(!worker.errorsSoFar.contains("event=job.failed"), "\(worker.errorsSoFar)")
            withExtendedLifetime(roles) {}
        }
    }
}
