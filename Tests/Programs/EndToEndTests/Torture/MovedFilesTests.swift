import Database
import Foundation
import Testing

@testable import rawmill_torture

/// The checks of `duplicates` must find errors. The library is a real one with moved RAWs.
@Suite("Moved files")
struct MovedFilesTests {
    private let workspace: Workspace
    private var archive: URL { workspace.folder.appending(path: "archive") }
    private var photos: URL { workspace.photos.appending(path: "archive") }
    /// The archive before the move.
    private let files: FileInventory

    init() throws {
        workspace = try Workspace()
        let archive = workspace.folder.appending(path: "archive")
        let manager = FileManager.default
        try workspace.makeSamples(2, megapixels: 0.05, in: archive.appending(path: "trip"))
        try manager.copyItem(at: archive.appending(path: "trip"), to: archive.appending(path: "best"))
        for folder in ["trip", "best"] {
            try Data("settings in \(folder)".utf8).write(to: archive.appending(path: "\(folder)/sample-0001.dng.pp3"))
        }
        var files = FileInventory()
        try files.noteFiles(below: archive.path)
        self.files = files
        let ended = try Rawmill.run(
            "convert", archive.path, "--library", workspace.library.path, "--originals", "move")
        #expect(ended.status == 0, "\(ended.errors)")
    }

    private func moved() throws -> MovedFiles {
        try MovedFiles(archive: archive.path, library: workspace.library.path)
    }

    private func complaints(cutRaws: Set<String> = []) throws -> [String] {
        try DuplicatesExpectation(files, in: archive.path, cutRaws: cutRaws).complaints(moved())
    }

    /// Names of files that are missing from the archive and not verified in the library.
    private func lost() throws -> [String] {
        let moved = try moved()
        return try files.differences().filter { try !moved.has($0) }.map {
            String($0.path.dropFirst(archive.path.count + 1))
        }
    }

    private func damage(_ sql: String) throws {
        try Connection(path: workspace.library.appending(path: "library.sqlite").path, mode: .readWrite).script(sql)
    }

    @Test("are in the library, at every path, with companions")
    func whole() throws {
        #expect(files.differences().count == 6)
        #expect(try lost().isEmpty && complaints().isEmpty)
    }

    @Test("are lost if the library does not know their path, or their copy has other bytes")
    func unrecorded() throws {
        try damage("DELETE FROM sightings WHERE path = CAST('best/sample-0001.dng' AS BLOB)")
        #expect(try lost() == ["best/sample-0001.dng"])
        let copies = workspace.files(below: workspace.library).filter {
            $0.hasPrefix("objects/") && $0.hasSuffix(".dng")
        }
        #expect(copies.count == 2)
        for copy in copies { try spoil(workspace.library.appending(path: copy)) }
        #expect(
            try lost() == ["best", "trip"].flatMap { ["\($0)/sample-0001.dng", "\($0)/sample-0002.dng"] })
    }

    private func spoil(_ file: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data("spoilt".utf8))
        try handle.close()
    }

    @Test("are lost if their sidecar is gone, and a path without its photo or RAW is named")
    func notShown() throws {
        for name in [
            "best/sample-0001.dng.pp3", "trip/sample-0001.neutral.jpg", "trip/sample-0002.dng",
        ] { try FileManager.default.removeItem(at: photos.appending(path: name)) }
        #expect(try lost() == ["best/sample-0001.dng.pp3", "trip/sample-0002.dng"])
        #expect(
            try complaints() == ["trip lacks 1 photos", "trip lacks 1 RAWs", "best lacks 1 companions"])
    }

    @Test("are named if a RAW or companion was not moved, unless a frame could not be rendered")
    func left() throws {
        let companion = archive.appending(path: "trip/sample-0001.dng.pp3")
        try FileManager.default.copyItem(at: photos.appending(path: "trip/sample-0001.dng.pp3"), to: companion)
        #expect(try complaints() == ["trip/sample-0001.dng.pp3 was not moved"])
        #expect(try complaints(cutRaws: ["trip/sample-0001.dng"]).isEmpty)
        try FileManager.default.removeItem(at: companion)
        let source = archive.appending(path: "trip/sample-0002.dng")
        try FileManager.default.copyItem(at: photos.appending(path: "trip/sample-0002.dng"), to: source)
        #expect(try complaints() == ["trip/sample-0002.dng was not moved"])
        #expect(try complaints(cutRaws: ["trip/sample-0002.dng"]).isEmpty)
    }
}
