import Foundation
import Testing

/// Libraries of version 0.1.0 are migrated: nothing is rendered twice, nothing is lost, and unfinished work continues.
@Suite(.serialized) struct UpgradeTests {
    @Test("A library of 0.1.0 is listed, verified and audited, and its unfinished order continues")
    func library() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(3)
        try #require(workspace.convert().status == 0)
        let former = LibraryOfFirstVersion(library: workspace.library)
        let digests = try LibraryAudit(library: workspace.library).digests()
        try former.carryBack(unfinished: "sample-0002.dng")
        #expect(workspace.shownPhotos.count == 2)

        // Readers change nothing, and name the command that does.
        for command in [["library", "list"], ["library", "verify"]] {
            let refused = try Rawmill.run(command + ["--library", workspace.library.path])
            #expect(refused.status != 0 && refused.errors.contains("rawmill convert"), "\(refused.errors)")
        }
        let again = try workspace.convert("--json")
        #expect(again.status == 0, "\(again.errors)")
        #expect(try again.last("completed") == 1 && again.last("unchanged") == 2, "\(again.output)")
        let audit = LibraryAudit(library: workspace.library)
        #expect(try audit.digests() == digests)
        #expect(workspace.shownPhotos.count == 3)
        try audit.checkLedger()
        try audit.checkQuiet()
        let compared = try Rawmill.run("audit", "--library", workspace.library.path)
        #expect(compared.status == 0, "\(compared.output) \(compared.errors)")
        let listed = try Rawmill.run("library", "list", "--library", workspace.library.path)
        #expect(listed.status == 0 && listed.lines.count == 3, "\(listed.output) \(listed.errors)")
        let verified = try Rawmill.run("library", "verify", "--library", workspace.library.path)
        #expect(verified.status == 0, "\(verified.output) \(verified.errors)")

        // Hard links to the objects become separate files.
        let repaired = try Rawmill.run("library", "verify", "--repair", "--library", workspace.library.path)
        #expect(repaired.status == 0, "\(repaired.output) \(repaired.errors)")
        try audit.checkFiles()
        let rebuilt = try Rawmill.run("library", "rebuild", "--library", workspace.library.path)
        #expect(rebuilt.status == 0, "\(rebuilt.output) \(rebuilt.errors)")
        #expect(try audit.digests() == digests)
    }
}

extension ClusterTests {
    @Suite struct UpgradeTests {
        @Test("A cluster's ledger and library of 0.1.0 continue their open order, and take the next")
        func cluster() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(3)
            try cluster.makeSources(2, in: "open")
            let open = try end(cluster, [cluster.start("coordinator"), cluster.start("catalogue")]) {
                let batch = try cluster.submit("archive/shoot")
                let worker = try cluster.start("worker", ["-j", "1", "--null-renderer", "--name", "first"])
                #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 3 })
                worker.send(SIGTERM)
                #expect(worker.wait(seconds: 120).status == 0)
                let open = try cluster.submit("archive/open")
                #expect(try cluster.waitForStatus(open) { $0["open"] as? Int == 2 })
                return open
            }
            try LibraryOfFirstVersion(library: cluster.library).carryBack(keepsIdentity: true)
            #expect(cluster.shownPhotos.count == 3)

            let worker = try cluster.start("worker", ["-j", "1", "--null-renderer", "--name", "second"])
            try end(cluster, [cluster.start("coordinator"), cluster.start("catalogue"), worker]) {
                #expect(try cluster.waitForStatus(open) { $0["completed"] as? Int == 2 && $0["open"] as? Int == 0 })
                let repeated = try cluster.run("submit", ["archive/shoot", "--wait", "--json"])
                #expect(repeated.status == 0, "\(repeated.errors)")
                #expect(try repeated.last("unchanged") == 3, "\(repeated.output)")
                try cluster.makeSources(1, in: "next")
                let next = try cluster.submit("archive/next")
                #expect(try cluster.waitForStatus(next) { $0["completed"] as? Int == 1 })
                #expect(cluster.wait(seconds: 60) { cluster.shownPhotos.count == 6 }, "\(cluster.shownPhotos)")
            }
            try LibraryAudit(library: cluster.library).checkLedger()
        }

        /// Ends the roles when the work is done.
        private func end<Result>(
            _ cluster: TestCluster, _ roles: [Running], after work: () throws -> Result
        ) throws -> Result {
            let result = try work()
            for role in roles {
                role.send(SIGTERM)
                let ended = role.wait(seconds: 120)
                #expect(ended.status == 0, "\(ended.errors.suffix(2000))")
            }
            return result
        }
    }
}
