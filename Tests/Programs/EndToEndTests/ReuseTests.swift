import Foundation
import Testing

@Suite("Renamed and copied RAWs") struct ReuseTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(3, in: workspace.raw.appending(path: "trip"))
    }

    private var trip: URL { workspace.raw.appending(path: "trip") }

    private func expectClean(_ comment: Comment) throws {
        let verified = try Rawmill.run("library", "verify", "--library", workspace.library.path)
        #expect(verified.status == 0, "\(comment): \(verified.output)")
        let audited = try Rawmill.run("audit", "--library", workspace.library.path)
        #expect(audited.status == 0, "\(comment): \(audited.output)")
    }

    private func expectReused(_ ended: Rawmill.Ended, _ count: Int) throws {
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try ended.events("summary").first?["reused"] as? Int == count, "\(ended.output)")
        let reused = try ended.events("completed").compactMap { $0["reused"] as? Int }
        #expect(reused.reduce(0, +) == count)
        for event in try ended.events("completed") where event["reused"] as? Int == 1 {
            #expect((event["milliseconds"] as? [String: Any])?["develop"] == nil)
        }
    }

    @Test("A renamed folder is not rendered again, and its photos move with it")
    func renamed() throws {
        #expect(try workspace.convert().status == 0)
        let before = try workspace.shownPhotos.map {
            try Data(contentsOf: workspace.photos.appending(path: $0)).suffix(1000)
        }
        try FileManager.default.moveItem(at: trip, to: workspace.raw.appending(path: "2024"))
        try expectReused(try workspace.convert("--json"), 3)
        #expect(workspace.shownPhotos == (1...3).map { "raw/2024/sample-000\($0).neutral.jpg" })
        let after = try workspace.shownPhotos.map {
            try Data(contentsOf: workspace.photos.appending(path: $0)).suffix(1000)
        }
        #expect(before == after)
        try expectClean("renamed")
        #expect(try workspace.convert().output.contains("3 unchanged"))
    }

    @Test("A folder that gets its former name back is shown under it again, even after the library forgot it")
    func renamedBack() throws {
        let other = workspace.raw.appending(path: "zoo")
        let names = (1...3).map { "raw/trip/sample-000\($0).neutral.jpg" }
        let others = (1...3).map { "raw/zoo/sample-000\($0).neutral.jpg" }
        #expect(try workspace.convert().status == 0)
        try FileManager.default.moveItem(at: trip, to: other)
        #expect(try workspace.convert().status == 0)
        #expect(workspace.shownPhotos == others)
        try FileManager.default.moveItem(at: other, to: trip)
        try expectReused(try workspace.convert("--json"), 3)
        #expect(workspace.shownPhotos == names)
        try expectClean("renamed back")
        #expect(try workspace.convert().output.contains("3 unchanged"))

        // The photos name the path that will be removed and forgotten by prune.
        try FileManager.default.copyItem(at: trip, to: other)
        #expect(try workspace.convert().status == 0)
        #expect(workspace.shownPhotos == names + others)
        let aside = workspace.folder.appending(path: "aside")
        try FileManager.default.moveItem(at: trip, to: aside)
        let pruned = try Rawmill.run("library", "prune", "--library", workspace.library.path, "--yes")
        #expect(pruned.status == 0 && pruned.output.contains("3 paths without a RAW"), "\(pruned.output)")
        #expect(workspace.shownPhotos == others)
        try expectClean("pruned")
        try FileManager.default.moveItem(at: aside, to: trip)
        try expectReused(try workspace.convert("--json"), 3)
        #expect(workspace.shownPhotos == names + others)
        try expectClean("back again")
        #expect(try workspace.convert().output.contains("6 unchanged"))
    }

    @Test(
        "A copy of a folder is not rendered again, which is reported, with each `--originals`",
        arguments: ["copy", "move"])
    func copied(originals: String) throws {
        let other = workspace.raw.appending(path: "a copy")
        try FileManager.default.copyItem(at: trip, to: other)
        let raws = try Data(contentsOf: trip.appending(path: "sample-0001.dng"))
        try FileManager.default.moveItem(at: other, to: workspace.folder.appending(path: "aside"))
        #expect(try workspace.convert("--originals", originals).status == 0)
        try FileManager.default.createDirectory(at: workspace.raw, withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: workspace.folder.appending(path: "aside"), to: other)
        let ended = try workspace.convert("--originals", originals)
        #expect(ended.output.contains("3 photos already existed"), "\(ended.output)")
        #expect(workspace.shownPhotos.filter { $0.hasSuffix(".jpg") }.count == 6)
        #expect(workspace.shownPhotos.filter { $0.hasSuffix(".dng") }.count == 6)
        #expect(try Data(contentsOf: workspace.photos.appending(path: "raw/a copy/sample-0001.dng")) == raws)
        #expect(workspace.files(below: workspace.raw).count == (originals == "move" ? 0 : 6))
        try expectClean("copied")
    }

    @Test("Adjacent copies are rendered once, without a report of damage, and the library has no findings")
    func copiesBesideEachOther() throws {
        let raw = trip.appending(path: "sample-0001.dng")
        for number in 10..<40 {
            try FileManager.default.copyItem(at: raw, to: trip.appending(path: "sample-0001 (\(number)).dng"))
        }
        let ended = try workspace.convert("-j", "4")
        #expect(ended.status == 0 && ended.output.contains("30 photos already existed"), "\(ended.output)")
        #expect(!ended.output.contains("refused") && !ended.output.contains("rendered again"), "\(ended.output)")
        #expect(workspace.shownPhotos.count == 33)
        try expectClean("copies")
    }

    @Test("Reused photos are no failures, and --fail-on-old also counts earlier failures")
    func oldFailures() throws {
        try Data("no RAW at all".utf8).write(to: trip.appending(path: "strange.nef"))
        #expect(try workspace.convert("--fail-on-old").status == 3)
        // At its new path the invalid file is a new one, which fails again.
        try FileManager.default.moveItem(at: trip, to: workspace.raw.appending(path: "2024"))
        let moved = try workspace.convert("--json", "--fail-on-old")
        #expect(moved.status == 3, "\(moved.errors)")
        let counts = try #require(try moved.events("summary").first)
        #expect(counts["reused"] as? Int == 3 && counts["failed"] as? Int == 1 && counts["failedBefore"] as? Int == 0)
        // A copy without it has no failures; earlier ones count only with --fail-on-old.
        let copy = workspace.raw.appending(path: "copy")
        try FileManager.default.copyItem(at: workspace.raw.appending(path: "2024"), to: copy)
        try FileManager.default.removeItem(at: copy.appending(path: "strange.nef"))
        try expectReused(try workspace.convert("--json"), 3)
        let strict = try workspace.convert("--json", "--fail-on-old")
        let old = try strict.events("summary").first?["failedBefore"] as? Int
        #expect(strict.status == 3 && old == 1, "\(strict.output)")
        let alone = try Rawmill.run(
            "convert", copy.path, "--library", workspace.library.path, "--json", "--fail-on-old")
        #expect(alone.status == 0, "\(alone.output)")
    }

    @Test("A photo whose bytes changed on the disk is rendered again, and the library is then intact")
    func damaged() throws {
        #expect(try workspace.convert().status == 0)
        let objects = workspace.library.appending(path: "objects")
        let name = try #require(workspace.files(below: objects).first)
        var bytes = try Data(contentsOf: objects.appending(path: name))
        let whole = bytes
        bytes[bytes.count - 500] ^= 0x20
        try bytes.write(to: objects.appending(path: name))
        try FileManager.default.copyItem(at: trip, to: workspace.raw.appending(path: "zoo"))
        try expectReused(try workspace.convert("--json"), 2)
        #expect(try Data(contentsOf: objects.appending(path: name)) == whole)
        #expect(workspace.shownPhotos.count == 6)
        try expectClean("damaged")
    }

    @Test("Without a library each photo is developed")
    func plainDoor() throws {
        try FileManager.default.copyItem(at: trip, to: workspace.raw.appending(path: "best"))
        let out = workspace.folder.appending(path: "out")
        let state = workspace.folder.appending(path: "state")
        let ended = try Rawmill.run(
            "convert", workspace.raw.path, "--out", out.path, "--state", state.path, "--json")
        #expect(try ended.events("summary").first?["reused"] as? Int == 0)
        for event in try ended.events("completed") {
            #expect((event["milliseconds"] as? [String: Any])?["develop"] != nil)
        }
    }
}

extension ClusterTests {
    @Suite struct ReuseTests {
        @Test("A worker reuses the library's photos for a copied folder, and the batch states their number")
        func copied() async throws {
            let cluster = try TestCluster(.mock)
            let shoot = cluster.folder.appending(path: "archive/shoot")
            try Rawmill.run("sample", "--out", shoot.path, "--count", "3", "--megapixels", "0.4")
            for role in ["coordinator", "catalogue"] { _ = try cluster.start(role) }
            let worker = try cluster.start("worker", ["-j", "1"])
            let first = try cluster.submit("archive/shoot", ["--wait"])
            #expect(
                try cluster.waitForStatus(first) { $0["completed"] as? Int == 3 && $0["reused"] as? Int == 0 },
                "\(worker.errorsSoFar)")
            try FileManager.default.copyItem(at: shoot, to: cluster.folder.appending(path: "archive/again"))
            let second = try cluster.submit("archive/again")
            #expect(
                try cluster.waitForStatus(second) { $0["completed"] as? Int == 3 && $0["reused"] as? Int == 3 },
                "\(worker.errorsSoFar)")
            #expect(try cluster.run("status").output.contains("3 photos already existed"))
            #expect(cluster.wait { cluster.shownPhotos.count == 6 })
            let audit = try cluster.run("audit", ["--library", cluster.library.path])
            #expect(audit.status == 0, "\(audit.output)")
        }
    }
}
