import ExternalTools
import Foundation
import FoundationNetworking
import SeededRandom
import Testing

/// Users' disks and cards with limited file systems: every kind of run works there as elsewhere.
@Suite("Limited file systems") struct PoorFileSystemTests {
    /// The missing features. FAT and exFAT can rename without replacing in the kernel, but not by FUSE.
    enum Kind: String, CaseIterable, CustomStringConvertible {
        case nfs = "unnamed-files exclusive-rename exchange"
        case exFAT = "unnamed-files hard-links exchange"
        case fuse = "unnamed-files hard-links exclusive-rename exchange"

        var description: String { "without \(rawValue)" }
    }

    /// Number of calls at which each test kills the program.
    private static let points = Int(ProcessInfo.processInfo.environment["RAWMILL_FAILING_CALLS"] ?? "") ?? 4

    private let workspace: Workspace
    /// The folder on the limited file system.
    private let disk: URL

    init() throws {
        workspace = try Workspace()
        disk = workspace.folder.appending(path: "disk")
        try workspace.makeSamples(3, megapixels: 0.05, in: disk.appending(path: "DCIM"))
    }

    private func disk(_ kind: Kind, killedAt call: Int? = nil, logging: Bool = false) -> FailingCalls {
        FailingCalls(
            below: disk, call: logging ? 0 : call ?? .max, error: 0,
            lacking: kind.rawValue.split(separator: " ").map(String.init))
    }

    private func run(_ kind: Kind, _ arguments: String...) throws -> Rawmill.Ended {
        let ended = try disk(kind).start(arguments).wait()
        #expect(ended.status == 0, "\(arguments): \(ended.output)\(ended.errors)")
        return ended
    }

    private func files(_ folder: URL) -> [String] { workspace.files(below: folder).sorted() }

    @Test(
        "A folder of photos there is made, made again with other settings, and left unchanged otherwise",
        arguments: Kind.allCases)
    func folder(kind: Kind) throws {
        let (raw, out) = (disk.appending(path: "DCIM").path, disk.appending(path: "web"))
        _ = try run(kind, "convert", raw, "--out", out.path)
        let photos = (1...3).map { "sample-000\($0).neutral.jpg" }
        #expect(files(out) == photos)
        let first = try Data(contentsOf: out.appending(path: photos[0]))
        #expect(try run(kind, "convert", raw, "--out", out.path, "--json").events("completed").isEmpty)
        _ = try run(kind, "convert", raw, "--out", out.path, "--exposure", "1", "--on-conflict", "replace")
        #expect(files(out) == photos)
        #expect(try Data(contentsOf: out.appending(path: photos[0])) != first)
        // A user's file keeps its name.
        try Data("mine".utf8).write(to: out.appending(path: photos[1]))
        _ = try disk(kind).start(["convert", raw, "--out", out.path, "--exposure", "2"]).wait()
        #expect(try String(contentsOf: out.appending(path: photos[1]), encoding: .utf8) == "mine")
    }

    @Test("A name that a file system refuses does not prevent other photos, and is reported as the cause")
    func refusedNames() throws {
        let raw = workspace.folder.appending(path: "raw")
        try workspace.makeSamples(3, megapixels: 0.05, in: raw)
        try FileManager.default.moveItem(
            at: raw.appending(path: "sample-0001.dng"), to: raw.appending(path: "12:30.dng"))
        try FileManager.default.createDirectory(at: raw.appending(path: "a: trip"), withIntermediateDirectories: true)
        try FileManager.default.moveItem(
            at: raw.appending(path: "sample-0002.dng"), to: raw.appending(path: "a: trip/b.dng"))
        let exFAT = FailingCalls(
            below: disk, call: .max, lacking: Kind.fuse.rawValue.split(separator: " ").map(String.init) + ["colons"])
        let (web, film) = (disk.appending(path: "web"), disk.appending(path: "film"))
        let out = try exFAT.start(["convert", raw.path, "--out", web.path, "--json"]).wait()
        #expect(out.status == 3 && files(web) == ["sample-0003.neutral.jpg"])
        let failed = try out.events("failed")
        #expect(
            failed.count == 2
                && failed.allSatisfy { ($0["message"] as? String)?.contains("does not allow this name") == true })

        let converted = try exFAT.start(["convert", raw.path, "--library", film.path]).wait()
        #expect(converted.status == 0, "\(converted.output)\(converted.errors)")
        #expect(files(film.appending(path: "photos")).count == 1 && files(film.appending(path: "objects")).count == 3)
        let found = try exFAT.start(["library", "verify", "--library", film.path, "--json"]).wait().events("finding")
        #expect(found.map { $0["kind"] as? String } == ["link-missing", "link-missing"])
    }

    @Test("A card's RAWs are moved into a library elsewhere", arguments: Kind.allCases)
    func card(kind: Kind) throws {
        _ = try run(
            kind, "convert", disk.appending(path: "DCIM").path, "--library", workspace.library.path, "--originals",
            "move")
        #expect(files(disk).isEmpty)
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }

    @Test("A library there takes, shows, replaces and removes photos, and has its own RAWs", arguments: Kind.allCases)
    func library(kind: Kind) throws {
        let (raw, film) = (disk.appending(path: "DCIM").path, disk.appending(path: "film"))
        let library = ["--library", film.path]
        func step(_ arguments: String...) throws {
            let ended = try disk(kind).start(arguments + library).wait()
            #expect(ended.status == 0, "\(arguments): \(ended.output)\(ended.errors)")
        }
        try step("convert", raw)
        try step("convert", raw, "--look", "mono", "--originals", "copy")
        try step("convert", raw, "--exposure", "0.5")
        try step("edit", "photos/DCIM/sample-0001.mono.jpg", "--exposure", "1")
        try step("library", "remove", "photos/DCIM/sample-0002.mono.jpg", "--yes")
        try step("library", "prune", "--superseded", "--yes")
        try step("library", "verify")
        try step("library", "rebuild")
        try step("library", "verify")
        let shown = files(film.appending(path: "photos/DCIM"))
        #expect(shown.count == 3 + 3 + 2, "RAWs, and photos in two looks: \(shown)")

        // Dropped files and their companions.
        let server = try PageServer(
            try disk(kind).start(["serve", "--listen", "127.0.0.1:0", "-j", "1"] + library))
        let begun = try server.json("POST", "/v1/drops", ["files": 1, "look": "neutral", "title": "Card"])
        let drop = try #require(begun["drop"] as? String)
        try workspace.makeSamples(1, first: 9, megapixels: 0.05, in: workspace.folder.appending(path: "card"))
        let dropped = try Data(contentsOf: workspace.folder.appending(path: "card/sample-0009.dng"))
        for (name, content) in [("a.JPG", Data("a JPEG".utf8)), ("a.dng", dropped)] {
            let path = try server.beginUpload(
                drop, 0, name, byteCount: content.count, isCompanion: name.hasSuffix("JPG"))
            #expect(try server.patch(path, at: 0, content) == 204)
        }
        try server.wait { try server.json("GET", "/v1/drops/\(drop)")["done"] as? Int == 1 }
        #expect(server.stop().status == 0)
        #expect(
            files(film.appending(path: "photos/drops")).map { $0.split(separator: "/").last } == [
                "a.JPG", "a.dng", "a.neutral.jpg",
            ])
        try step("library", "verify")
    }

    @Test(
        "Killed at any call there, a run is completed by the next one, and nothing is lost", .night,
        arguments: Kind.allCases)
    func killed(kind: Kind) throws {
        var random = SeededGenerator()
        let card = workspace.folder.appending(path: "card")
        try FileManager.default.copyItem(at: disk.appending(path: "DCIM"), to: card)
        func convert(_ failing: FailingCalls) throws -> Rawmill.Ended {
            try failing.start([
                "convert", disk.appending(path: "DCIM").path, "--library", disk.appending(path: "film").path,
                "--originals", "move", "--exposure", "0.5",
            ]).wait()
        }
        /// A card with RAWs, and a library that already has their photos, which are then replaced.
        func begin() throws {
            try? FileManager.default.removeItem(at: disk)
            try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: card, to: disk.appending(path: "DCIM"))
            _ = try run(
                kind, "convert", disk.appending(path: "DCIM").path, "--library", disk.appending(path: "film").path)
        }
        try begin()
        let all = disk(kind, logging: true)
        #expect(try convert(all).status == 0)
        let count = all.calls.count
        print("\(kind), killed at one of \(count) calls: seed \(random.seed)")
        for _ in 0..<Self.points {
            try begin()
            let failing = disk(kind, killedAt: Int.random(in: 1...count, using: &random))
            _ = try convert(failing)
            let next = try convert(disk(kind))
            #expect(next.status == 0, "\(failing): \(next.output)\(next.errors)")
            let film = disk.appending(path: "film")
            #expect(files(film.appending(path: "photos/DCIM")).count == 6, "\(failing)")
            #expect(files(disk.appending(path: "DCIM")).isEmpty, "\(failing)")
            // An unfinished file may remain, and nothing else.
            let found = try Rawmill.run("library", "verify", "--repair", "--json", "--library", film.path).events(
                "finding")
            #expect(found.allSatisfy { $0["kind"] as? String == "stale-temporary" }, "\(failing): \(found)")
            let verified = try Rawmill.run("library", "verify", "--library", film.path)
            #expect(verified.status == 0, "\(failing): \(verified.output)")
        }
    }
}
