import Foundation
import Testing

@Suite("campaign") struct CampaignTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(6, megapixels: 0.1)
        let ended = try workspace.convert()
        try #require(ended.status == 0, "\(ended.errors)")
    }

    private func campaign(_ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(["campaign"] + arguments + ["--library", workspace.library.path])
    }

    private func count(_ look: String) -> Int { workspace.shownPhotos.filter { $0.contains(".\(look).") }.count }

    private func expectWhole() throws {
        let verified = try Rawmill.run("library", "verify", "--library", workspace.library.path)
        #expect(verified.status == 0, "\(verified.output)")
        let audited = try Rawmill.run("audit", "--library", workspace.library.path)
        #expect(audited.status == 0, "\(audited.output)")
    }

    @Test(
        "Planned, tried, rendered, switched to, rolled back, switched to again and freed: photos change only at a switch"
    )
    func wholeWay() throws {
        let before = try workspace.fingerprint(of: workspace.photos)
        let dry = try campaign("plan", "c", "--where", "look = 'neutral'", "--look", "mono", "--dry-run")
        #expect(dry.status == 0 && dry.output.contains("6 to render"), "\(dry.output)\(dry.errors)")
        #expect(dry.output.contains("with one, based on the time that photos of their cameras took."), "\(dry.output)")
        #expect(try campaign("plan", "c", "--where", "look = 'neutral'", "--look", "mono").status == 0)
        #expect(try campaign("plan", "c", "--look", "mono").status != 0, "names are there once")
        let page = workspace.folder.appending(path: "page")
        let canary = try campaign("canary", "c", "--count", "2", "--out", page.path)
        #expect(canary.status == 0 && canary.output.contains("2 rendered"), "\(canary.output)\(canary.errors)")
        #expect(workspace.files(below: page).count == 5)
        #expect(try campaign("canary", "c", "--count", "2", "--out", page.path).status == 0, "its own page is replaced")
        let own = page.appending(path: "index.html")
        try Data("mine".utf8).write(to: own)
        #expect(try campaign("canary", "c", "--count", "2", "--out", page.path).status != 0)
        #expect(try Data(contentsOf: own) == Data("mine".utf8))
        let early = try campaign("switch", "c")
        #expect(early.status != 0 && early.errors.contains("4 of its photos are not rendered"), "\(early.errors)")
        #expect(try campaign("run", "c").status == 0)
        #expect(try workspace.fingerprint(of: workspace.photos) == before, "nothing was shown")
        #expect(try campaign("switch", "c").status == 0)
        #expect(count("mono") == 6 && count("neutral") == 0)
        try expectWhole()
        #expect(try campaign("rollback", "c").status == 0)
        #expect(count("mono") == 0 && count("neutral") == 6)
        try expectWhole()
        #expect(try campaign("switch", "c").status == 0)
        #expect(try campaign("gc", "c").output.contains("Would free 6 renditions"))
        #expect(try campaign("gc", "c", "--yes").status == 0)
        #expect(try campaign("rollback", "c").status != 0)
        #expect(workspace.files(below: workspace.library.appending(path: "objects")).count == 6)
        try expectWhole()
        // Converting the archive from now on gives no photo twice.
        #expect(try workspace.convert("--look", "mono").status == 0)
        #expect(count("mono") == 6 && workspace.shownPhotos.count == 6)
        try expectWhole()
    }

    @Test("Later edits of users stay unchanged at the switch, at the rollback, and when the rest is freed")
    func edits() throws {
        #expect(try campaign("plan", "c", "--look", "mono").status == 0)
        #expect(try campaign("run", "c").status == 0)
        let photo = workspace.photos.appending(path: "raw/sample-0003.neutral.jpg").path
        let edited = try Rawmill.run("edit", photo, "--exposure", "1", "--library", workspace.library.path)
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(try campaign("switch", "c").output.contains("1 kept, because they were edited since"))
        #expect(workspace.shownPhotos.contains("raw/sample-0003.neutral.jpg"))
        #expect(try campaign("gc", "c", "--yes").output.contains("Freed 5 renditions"))
        #expect(try Rawmill.run("undo", photo, "--library", workspace.library.path).status == 0)
        try expectWhole()
    }

    @Test("Without options it covers photos of older engines; for the newest there is nothing to do")
    func engine() throws {
        let plan = try campaign("plan", "c", "--where", "engine < 6", "--dry-run")
        #expect(plan.status == 0 && plan.output.contains("0 photos selected"), "\(plan.output)")
        let all = try campaign("plan", "c", "--dry-run")
        #expect(all.output.contains("6 up to date"), "\(all.output)")
    }

    @Test("Killed at any time, run and switch are completed by the same command")
    func killed() throws {
        #expect(try campaign("plan", "c", "--look", "mono").status == 0)
        for step in ["run", "switch", "rollback"] {
            for round in 0..<4 {
                let running = try Running(["campaign", step, "c", "--library", workspace.library.path])
                usleep(UInt32(round) * 30_000)
                running.send(SIGKILL)
                _ = running.wait()
                let shown = (count("mono"), count("neutral"))
                let listed = try Rawmill.run("library", "list", "--json", "--library", workspace.library.path)
                #expect(listed.output.split(separator: "\n").count == 6, "\(step), \(shown)")
            }
            let ended = try campaign(step, "c")
            #expect(ended.status == 0 || step == "rollback", "\(step): \(ended.errors)")
            let repaired = try Rawmill.run("library", "verify", "--repair", "--library", workspace.library.path)
            #expect(repaired.status == 0, "\(repaired.output)")
            try expectWhole()
        }
        #expect(count("neutral") == 6)
    }
}
