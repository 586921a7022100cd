import ExternalTools
import Foundation
import Testing

extension ClusterTests {
    /// Nodes with different users, as chosen by service managers, and a library that belongs to their common group.
    @Suite struct OtherUserTests {
        private static let group = 30_000
        private static let umask = ["--umask", "0002"]

        @Test("Roles of different users share a library by its group, and others read it", .needs(.otherUsers))
        func sharedGroup() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(200)
            #expect(chown(cluster.library.path, 0, gid_t(Self.group)) == 0 && chmod(cluster.library.path, 0o2775) == 0)
            let rawmill = try OtherUser.install(in: cluster.folder)
            func user(_ number: Int) -> OtherUser {
                OtherUser(number: number, groups: [Self.group], rawmill: rawmill)
            }
            func worker(_ name: String, _ number: Int) throws -> Running {
                let options = ["-j", "1", "--null-renderer", "--name", name] + Self.umask
                return try cluster.start("worker", options, as: user(number))
            }
            let workers = try [worker("a", 20_001), worker("b", 20_002)]
            for worker in workers { #expect(worker.wait(for: "event=worker.started"), "\(worker.errorsSoFar)") }
            let first = try [
                cluster.start("coordinator", Self.umask, as: user(20_001)),
                cluster.start("catalogue", Self.umask, as: user(20_002)),
            ]
            #expect(try cluster.begin("submit", ["archive/shoot", "--wait"]).wait(seconds: 300).status == 0)
            #expect(cluster.wait { cluster.shownPhotos.count == 200 })
            for worker in workers { #expect(worker.errorsSoFar.contains("event=job.completed")) }
            // Other users take over the ledger and the library.
            for role in first {
                role.send(SIGTERM)
                #expect(role.wait(seconds: 60).status == 0)
            }
            try cluster.makeSources(20, in: "later")
            let second = try [
                cluster.start("coordinator", Self.umask, as: user(20_003)),
                cluster.start("catalogue", Self.umask, as: user(20_004)),
            ]
            let later = try cluster.begin("submit", ["archive/later", "--wait"]).wait(seconds: 300)
            #expect(later.status == 0, "\(later.output) \(second.map(\.errorsSoFar))")
            #expect(cluster.wait { cluster.shownPhotos.count == 220 })
            try check(cluster.library, rawmill)
            withExtendedLifetime(second) {}
        }

        /// The view of the photographer, who is in no Rawmill group, and of a colleague who is.
        private func check(_ library: URL, _ rawmill: String) throws {
            let photos = library.appending(path: "photos").path
            let photographer = OtherUser(number: 20_009, groups: [], rawmill: rawmill)
            #expect(try photographer.run("find", [photos, "!", "-readable"]).isEmpty)
            #expect(try photographer.run("find", [photos, "-name", "*.jpg"]).split(separator: "\n").count == 220)
            let isClosed = ["(", "!", "-group", "\(Self.group)", "-o", "!", "-perm", "-2070", ")"]
            let closed = try ExternalTool.run("find", [library.path, "-type", "d"] + isClosed)
            #expect(closed.isEmpty, "\(closed)")
            let colleague = OtherUser(number: 20_010, groups: [Self.group], rawmill: rawmill)
            let note = photos + "/archive/shoot/note.txt"
            _ = try colleague.run("touch", [note])
            #expect(FileManager.default.fileExists(atPath: note))
        }
    }
}
