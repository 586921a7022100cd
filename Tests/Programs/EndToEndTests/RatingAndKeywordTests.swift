import ExternalTools
import Foundation
import Testing

/// Stars and keywords of photos, in all places where users write them; exiftool is the judge.
struct RatingAndKeywordTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(4)
    }

    private func write(_ fields: [String], _ name: String) throws {
        let file = workspace.raw.appending(path: name).path
        _ = try ExternalTool.run("exiftool", ["-q", "-overwrite_original"] + fields + [file])
    }

    private func listed(_ condition: String) throws -> [[String: Any]] {
        let ended = try Rawmill.run(
            "library", "list", "--library", workspace.library.path, "--where", condition, "--json")
        #expect(ended.status == 0, "\(ended.errors)")
        return try ended.lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test(
        "Stars and keywords in a RAW's EXIF, IPTC and Windows fields are used in its photo if XMP has none",
        .needs(.program("exiftool")))
    func fields() throws {
        let words = ["-IPTC:Keywords=lake", "-IPTC:Keywords=Zürich", "-codedcharacterset=utf8"]
        try write(["-IFD0:Rating=3"] + words, "sample-0001.dng")
        try write(["-IFD0:RatingPercent=75", "-IFD0:XPKeywords=lake;sea"], "sample-0002.dng")
        try write(["-IFD0:Rating=3", "-XMP:Rating=5", "-XMP:Subject=own"] + words, "sample-0003.dng")
        #expect(try workspace.convert("--long-edge", "200").status == 0)
        let expected = [["3", "lake, Zürich"], ["4", "lake, sea"], ["5", "own"]]
        for (index, texts) in expected.enumerated() {
            let photo = workspace.photos.appending(path: "raw/sample-000\(index + 1).neutral.jpg").path
            let read = try ExternalTool.run("exiftool", ["-s3", "-XMP:Rating", "-XMP:Subject", photo])
            #expect(read.split(separator: "\n").map(String.init) == texts)
        }
        #expect(
            try listed("keyword = 'lake'").map { $0["keywords"] as? [String] } == [
                ["lake", "Zürich"], ["lake", "sea"],
            ])
        #expect(try listed("rating >= 4").map { $0["rating"] as? Int } == [4, 5])
        #expect(try listed("keyword is null").map { $0["keywords"] as? [String] } == [[]])
        let table = try Rawmill.run("library", "list", "--library", workspace.library.path, "--csv").lines
        #expect(table.first?.contains(",rating,keywords,") == true)
        #expect(table.contains { $0.contains(",5,own,") })
        let shown = try Rawmill.run(
            "library", "show", "photos/raw/sample-0001.neutral.jpg", "--library", workspace.library.path)
        #expect(shown.output.contains("  stars     3\n") && shown.output.contains("  keywords  lake, Zürich\n"))
        let filtered = try Rawmill.run(
            "convert", workspace.raw.path, "--out", workspace.folder.appending(path: "best").path, "--min-rating", "4")
        #expect(filtered.status == 0)
        #expect(workspace.files(below: workspace.folder.appending(path: "best")).count == 2)
    }
}
