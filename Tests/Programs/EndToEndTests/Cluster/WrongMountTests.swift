import Broker
import ExternalTools
import Foundation
import Testing

extension ClusterTests {
    /// Roles that see the wrong folder in place of a mount. A link represents the mount: it is switched as a mount
    /// appears and disappears.
    @Suite(.serialized) struct WrongMountTests {
        private final class Mount {
            let path: String

            init(_ name: String, in cluster: TestCluster) { path = cluster.folder.appending(path: name).path }

            /// Shows another folder from now on.
            func show(_ folder: URL) throws {
                let next = path + ".next"
                try FileManager.default.createSymbolicLink(atPath: next, withDestinationPath: folder.path)
                try #require(rename(next, path) == 0)
            }
        }

        private func emptyFolder(in cluster: TestCluster) throws -> URL {
            let folder = cluster.folder.appending(path: "mount-point")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return folder
        }

        private func names(in folder: URL) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
        }

        @Test("A worker whose library is not mounted writes nothing there, reports it, and works once it is mounted")
        func library() async throws {
            let cluster = try TestCluster(.mock)
            let mount = Mount("mounted-library", in: cluster)
            let empty = try emptyFolder(in: cluster)
            try mount.show(empty)
            try cluster.makeSources(20)
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            for role in roles { #expect(role.wait(for: "event=role.started")) }
            #expect(cluster.wait { cluster.hasIdentity })
            let worker = try cluster.start(
                "worker", ["-j", "2", "--null-renderer", "--name", "astray"], library: mount.path)
            let batch = try cluster.submit("archive/shoot")
            #expect(worker.wait(for: "event=storage.unavailable"), "\(worker.errorsSoFar)")
            #expect(worker.errorsSoFar.contains("is not a library"))
            #expect(try cluster.waitForWorker("astray") { $0["state"] as? String == "waiting for storage" })
            #expect(try cluster.waitForStatus(batch) { $0["open"] as? Int == 20 })
            #expect(try names(in: empty).isEmpty)

            try mount.show(cluster.library)
            #expect(cluster.wait { cluster.shownPhotos.count == 20 }, "\(worker.errorsSoFar)")
            #expect(worker.wait(for: "event=worker.resumed"))
            #expect(try names(in: empty).isEmpty)
            #expect(try await cluster.records(of: Topics.deadLetter).isEmpty)
            withExtendedLifetime(roles) {}
        }

        @Test("A worker whose archive is not mounted turns no photo into a failure, neither at its start nor later")
        func archive() async throws {
            let cluster = try TestCluster(.mock)
            let mount = Mount("mounted-archive", in: cluster)
            let empty = try emptyFolder(in: cluster)
            let archive = cluster.folder.appending(path: "archive")
            try cluster.makeSources(30, in: "first")
            try cluster.makeSources(30, in: "second")
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            for role in roles { #expect(role.wait(for: "event=role.started")) }
            let first = try cluster.submit("archive/first")
            #expect(try cluster.waitForStatus(first) { $0["open"] as? Int == 30 })
            try mount.show(empty)
            let worker = try cluster.start(
                "worker", ["-j", "2", "--null-renderer", "--name", "astray"], archive: mount.path)
            #expect(worker.wait(for: "event=storage.unavailable"), "\(worker.errorsSoFar)")
            #expect(try cluster.waitForWorker("astray") { $0["state"] as? String == "waiting for storage" })
            try mount.show(archive)
            #expect(cluster.wait { cluster.shownPhotos.count == 30 }, "\(worker.errorsSoFar)")

            // Its contents disappear when the jobs of the next order are written and none is begun.
            #expect(try cluster.waitForWorker("astray") { $0["state"] as? String == "working" })
            #expect(try cluster.run("pause").status == 0)
            #expect(try cluster.waitForWorker("astray") { $0["state"] as? String == "paused" })
            let second = try cluster.submit("archive/second")
            #expect(try cluster.waitForStatus(second) { $0["open"] as? Int == 30 })
            #expect(try await cluster.records(of: Topics.bulkJobs, atLeast: 60).count == 60)
            let hidden = try cluster.hideArchive()
            #expect(try cluster.run("resume").status == 0)
            #expect(try cluster.waitForWorker("astray") { $0["state"] as? String == "waiting for storage" })
            try cluster.showArchive(hidden)
            #expect(cluster.wait { cluster.shownPhotos.count == 60 }, "\(worker.errorsSoFar)")
            #expect(try await cluster.records(of: Topics.deadLetter).isEmpty)
            #expect(!worker.errorsSoFar.contains("event=job.failed"), "\(worker.errorsSoFar)")
            withExtendedLifetime(roles) {}
        }

        @Test("A source that a worker misses and the coordinator sees fails no job, and goes to another worker")
        func partOfTheArchive() async throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(6)
            // The same files but one, like an outdated mount.
            let (shoot, partial) = (
                cluster.folder.appending(path: "archive/shoot"), cluster.folder.appending(path: "partial")
            )
            try FileManager.default.createDirectory(
                at: partial.appending(path: "shoot"), withIntermediateDirectories: true)
            for name in try names(in: shoot) where name != "IMG_0.CR2" {
                try FileManager.default.linkItem(
                    at: shoot.appending(path: name), to: partial.appending(path: "shoot/\(name)"))
            }
            let coordinator = try cluster.start("coordinator")
            let catalogue = try cluster.start("catalogue")
            let astray = try cluster.start(
                "worker", ["-j", "1", "--null-renderer", "--name", "astray"], archive: partial.path)
            let batch = try cluster.submit("archive/shoot")
            #expect(
                try cluster.waitForStatus(batch) {
                    $0["completed"] as? Int == 5 && $0["open"] as? Int == 1 && $0["unseen"] as? Int == 1
                }, "\(astray.errorsSoFar)")
            #expect(coordinator.errorsSoFar.contains("reason=source-present"), "\(coordinator.errorsSoFar)")
            #expect(try await cluster.records(of: Topics.deadLetter).isEmpty)

            let right = try cluster.start("worker", ["-j", "1", "--null-renderer", "--name", "right"])
            astray.send(SIGKILL)
            _ = astray.wait(seconds: 10)
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 6 }, "\(right.errorsSoFar)")
            #expect(try await cluster.records(of: Topics.deadLetter).isEmpty)

            // Missing for all, it is a failure with one dead letter.
            try cluster.makeSources(3, in: "next")
            right.send(SIGSTOP)
            let next = try cluster.submit("archive/next")
            #expect(try cluster.waitForStatus(next) { $0["open"] as? Int == 3 })
            try FileManager.default.removeItem(at: cluster.folder.appending(path: "archive/next/IMG_1.CR2"))
            right.send(SIGCONT)
            #expect(try cluster.waitForStatus(next) { $0["completed"] as? Int == 2 && $0["failed"] as? Int == 1 })
            #expect(try await cluster.records(of: Topics.deadLetter, atLeast: 1).count == 1)
            withExtendedLifetime([catalogue, right]) {}
        }

        @Test("A coordinator whose archive is not mounted refuses the order instead of planning nothing")
        func coordinator() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(5)
            let catalogue = try cluster.start("catalogue")
            let worker = try cluster.start("worker", ["-j", "1", "--null-renderer"])
            let coordinator = try cluster.start("coordinator")
            _ = try cluster.submit("archive/shoot")
            #expect(cluster.wait { cluster.shownPhotos.count == 5 })
            let hidden = try cluster.hideArchive()
            let ended = try cluster.run("submit", ["archive/shoot", "--wait"])
            #expect(ended.status == 64, "\(ended.output) \(ended.errors)")
            #expect(ended.output.contains("Mount the right storage"), "\(ended.output)")
            try cluster.showArchive(hidden)
            #expect(try cluster.run("submit", ["archive/shoot", "--wait"]).status == 0)
            withExtendedLifetime([catalogue, worker, coordinator]) {}
        }
    }

    /// Two libraries, and one set of topics or two.
    @Suite(.serialized) struct TwoClustersTests {
        @Test("Roles of another library refuse the topics, and share the brokers under a separate name")
        func otherLibrary() async throws {
            let cluster = try TestCluster(.mock)
            let other = cluster.folder.appending(path: "other").path
            try cluster.makeSources(10)
            let first = try [
                cluster.start("coordinator"), cluster.start("catalogue"),
                cluster.start("worker", ["-j", "1", "--null-renderer"]),
            ]
            _ = try cluster.submit("archive/shoot")
            #expect(cluster.wait { cluster.shownPhotos.count == 10 })
            let written = try await cluster.records(of: Topics.manifests).count

            for role in ["coordinator", "catalogue", "worker"] {
                let ended = try cluster.start(role, library: other).wait(seconds: 180)
                #expect(ended.status == 70, "\(role): \(ended.errors)")
                #expect(ended.errors.contains("--cluster-name"), "\(role): \(ended.errors)")
            }

            try cluster.makeTopics(named: "staging")
            let named = ["--cluster-name", "staging"]
            let second = try [
                cluster.start("coordinator", named, library: other), cluster.start("catalogue", named, library: other),
                cluster.start("worker", ["-j", "1", "--null-renderer"] + named, library: other),
            ]
            _ = try cluster.submit("archive/shoot", named)
            let shown = URL(fileURLWithPath: other).appending(path: "photos/archive/shoot").path
            #expect(
                cluster.wait { (try? FileManager.default.contentsOfDirectory(atPath: shown).count) == 10 },
                "\(second[0].errorsSoFar)")
            #expect(cluster.shownPhotos.count == 10)
            #expect(try await cluster.records(of: Topics.manifests).count == written)
            for role in first + second { #expect(role.isRunning) }
        }

        @Test("A second coordinator and a second cataloguer name the machine and the process of the first")
        func second() throws {
            let cluster = try TestCluster(.mock)
            for role in ["coordinator", "catalogue"] {
                let first = try cluster.start(role)
                #expect(first.wait(for: "event=role.started"))
                let ended = try cluster.start(role).wait(seconds: 180)
                #expect(ended.status == 70, "\(ended.errors)")
                let holder = "process \(first.identifier) on \(ProcessInfo.processInfo.hostName)"
                #expect(ended.errors.contains(holder), "\(ended.errors)")
            }
        }
    }
}
