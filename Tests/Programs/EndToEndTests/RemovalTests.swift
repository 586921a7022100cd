import Foundation
import Testing

@Suite("library remove and prune") struct RemovalTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(2)
    }

    private func library(_ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(["library"] + arguments + ["--library", workspace.library.path])
    }

    @Test("A removed photo is not reported as lost by the audit, and is rendered again when submitted again")
    func removed() throws {
        #expect(try workspace.convert().status == 0)
        let photo = workspace.photos.appending(path: "raw/sample-0001.neutral.jpg")
        let bytes = try Data(contentsOf: photo)
        let planned = try library("remove", photo.path)
        #expect(planned.status == 0 && planned.output.contains("Nothing was removed: add --yes."), "\(planned.output)")
        #expect(workspace.shownPhotos.count == 2)
        let removed = try library("remove", photo.path, "--yes", "--json")
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try removed.events("summary").first?["photos"] as? Int == 1)
        #expect(workspace.shownPhotos == ["raw/sample-0002.neutral.jpg"])
        #expect(try library("verify").status == 0)
        let audited = try Rawmill.run("audit", "--library", workspace.library.path)
        #expect(
            audited.status == 0 && audited.output.contains("a user removed the photos"), "\(audited.output)")

        let again = try workspace.convert()
        #expect(again.status == 0 && again.output.contains("1 unchanged"), "\(again.output)")
        #expect(try Data(contentsOf: photo) == bytes)
        #expect(
            try Rawmill.run("audit", "--library", workspace.library.path).output.contains("a user removed") == false)
        #expect(try workspace.convert().output.contains("2 unchanged"))
    }

    @Test("Killed at any time, a removal leaves a library that repair fixes")
    func killed() throws {
        try workspace.makeSamples(20, first: 3, megapixels: 0.1)
        #expect(try workspace.convert().status == 0)
        for round in 0..<6 {
            let names = workspace.shownPhotos.prefix(3).map { workspace.photos.appending(path: $0).path }
            let running = try Running(
                ["library", "remove", "--yes", "--library", workspace.library.path] + names)
            usleep(UInt32(round) * 8000)
            running.send(SIGKILL)
            _ = running.wait()
            _ = try library("verify", "--repair")
            let verified = try library("verify")
            #expect(verified.status == 0, "\(verified.output)")
            #expect(try Rawmill.run("audit", "--library", workspace.library.path).status == 0)
        }
        #expect(try workspace.convert().status == 0)
        #expect(workspace.shownPhotos.count == 22)
    }

    @Test("A RAW that was moved into the library is removed only with its own flag")
    func original() throws {
        #expect(try workspace.convert("--originals", "move").status == 0)
        let photo = workspace.photos.appending(path: "raw/sample-0001.neutral.jpg").path
        let kept = try library("remove", photo, "--yes")
        #expect(kept.status == 3 && kept.output.contains("exists only in the library"), "\(kept.output)")
        #expect(workspace.shownPhotos.count == 4)
        #expect(try library("remove", photo, "--yes", "--with-originals").status == 0)
        #expect(workspace.shownPhotos == ["raw/sample-0002.dng", "raw/sample-0002.neutral.jpg"])
        #expect(try library("verify").status == 0)
    }

    @Test("Pruning reports what it would free, then frees it, and the second time there is nothing")
    func pruned() throws {
        #expect(try workspace.convert().status == 0)
        #expect(try workspace.convert("--exposure", "1").status == 0)
        let objects = workspace.library.appending(path: "objects")
        let planned = try library("prune", "--superseded")
        #expect(planned.output.contains("2 hidden edits"), "\(planned.output)")
        #expect(workspace.files(below: objects).count == 4)
        #expect(try library("prune", "--superseded", "--yes").status == 0)
        #expect(workspace.files(below: objects).count == 2)
        #expect(try library("prune", "--superseded").output.contains("There is nothing to delete."))
        #expect(try library("verify").status == 0)
        #expect(try Rawmill.run("audit", "--library", workspace.library.path).status == 0)
    }
}
