import Foundation
import Testing

@testable import rawmill_torture

@Suite("The sources of a tortured cluster")
struct SourceFilesTests {
    private func make(
        _ scenario: Scenario, jobs: Int, megapixels: Double?
    ) throws -> (sources: SourceFiles, files: FileInventory, archive: String, Workspace) {
        let workspace = try Workspace()
        let plan = Plan(
            scenario: scenario, seed: 1, jobs: jobs, harms: 1, workers: 1, patience: .seconds(1), outage: .seconds(1))
        let archive = workspace.folder.appending(path: "archive").path
        var sources = SourceFiles(archive, plan, megapixels: megapixels)
        try sources.make()
        var files = FileInventory()
        try files.noteFiles(below: archive)
        return (sources, files, archive, workspace)
    }

    @Test("are in either byte order, with margins and without, and all of different bytes")
    func pictures() throws {
        let (sources, files, archive, workspace) = try make(.kill, jobs: 16, megapixels: 0.01)
        #expect(files.contents.count == 16 && Set(files.contents.values).count == 16)
        #expect(sources.parts.reduce(0) { $0 + $1.jobs } == 16 && sources.furtherPhotos == 2)
        let orders = try files.contents.keys.map { path in
            String(decoding: try Data(contentsOf: URL(filePath: path)).prefix(2), as: UTF8.self)
        }
        #expect(Set(orders) == ["II", "MM"])
        let ended = try Rawmill.run("convert", archive, "--library", workspace.library.path)
        #expect(ended.status == 0 && ended.output.contains("16 photos"), "\(ended.output) \(ended.errors)")
    }

    @Test("are each at three paths in `duplicates`, with separate companions")
    func duplicates() throws {
        let (sources, files, archive, workspace) = try make(.duplicates, jobs: 30, megapixels: 0.01)
        let raws = files.contents.filter { $0.key.hasSuffix(".dng") }
        #expect(raws.count == 30 && Set(raws.values).count == 10)
        #expect(files.contents.count > 60 && Set(files.contents.values).count == files.contents.count - 20)
        #expect(sources.furtherPhotos == -20 + 1 && sources.cutRaws.count == 3)
        withExtendedLifetime((archive, workspace)) {}
    }
}
