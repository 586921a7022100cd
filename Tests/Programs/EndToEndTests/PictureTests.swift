import ExternalTools
import Foundation
import PictureFormat
import Pixels
import Samples
import Testing

struct PictureTests {
    private func write(_ orientation: Orientation = .upright, hasMatrix: Bool = true, to url: URL) throws {
        let camera = SampleCamera()
        let layout = SensorLayout.bayer([.red, .green, .green, .blue])
        let plane = camera.expose(SampleScene(seed: 4), size: PixelSize(width: 360, height: 240), layout: layout)
        var picture = DNGPicture(plane: plane, layout: layout)
        picture.black = .init(rows: 2, columns: 2, values: camera.black.map { Rational(Int64($0), 1) })
        picture.white = camera.white
        var writer = DNGWriter(camera: camera)
        writer.orientation = orientation
        if !hasMatrix { writer.illuminants = [] }
        try Data(writer.file(picture)).write(to: url)
    }

    @Test(
        "All eight orientations become upright, as rotated by ImageMagick", .needs(.program("exiftool")),
        .needs(.program("convert")))
    func orientations() throws {
        let workspace = try Workspace()
        try FileManager.default.createDirectory(at: workspace.raw, withIntermediateDirectories: true)
        for orientation in Orientation.allCases {
            try write(orientation, to: workspace.raw.appending(path: "o\(orientation.rawValue).dng"))
        }
        let ended = try workspace.convert("--quality", "98")
        #expect(ended.status == 0, "\(ended.errors)")
        let upright = photo(workspace, 1)
        for orientation in Orientation.allCases {
            let path = photo(workspace, Int(orientation.rawValue))
            #expect(try ExternalTool.run("exiftool", ["-s3", "-n", "-EXIF:Orientation", path]) == "1\n")
            let turned = workspace.folder.appending(path: "turned.png").path
            // ImageMagick rotates a picture with the orientation. Ours must look like the result.
            _ = try ExternalTool.run(
                "convert", [upright, "-orient", Self.names[Int(orientation.rawValue) - 1], "-auto-orient", turned])
            let size = try ExternalTool.run("identify", ["-format", "%wx%h", turned])
            #expect(try ExternalTool.run("identify", ["-format", "%wx%h", path]) == size, "orientation \(orientation)")
            let distance = try ExternalTool.run("compare", ["-metric", "RMSE", path, turned, "null:"])
            let share = distance.split(separator: "(").last.flatMap { Double($0.prefix { $0 != ")" }) } ?? 1
            #expect(share < 0.02, "orientation \(orientation): \(distance)")
        }
    }

    /// ImageMagick's names of EXIF's eight.
    private static let names = [
        "TopLeft", "TopRight", "BottomRight", "BottomLeft", "LeftTop", "RightTop", "RightBottom", "LeftBottom",
    ]

    private func photo(_ workspace: Workspace, _ orientation: Int) -> String {
        workspace.photos.appending(path: "raw/o\(orientation).neutral.jpg").path
    }

    @Test(
        "A camera with unknown colours gives a photo that is shown, recorded as degraded, and marked in its XMP",
        .needs(.program("exiftool")))
    func withoutMatrix() throws {
        let workspace = try Workspace()
        try FileManager.default.createDirectory(at: workspace.raw, withIntermediateDirectories: true)
        try write(to: workspace.raw.appending(path: "known.dng"))
        try write(hasMatrix: false, to: workspace.raw.appending(path: "unknown.dng"))
        let ended = try workspace.convert("--json")
        #expect(ended.status == 0, "\(ended.errors)")
        for event in try ended.events("completed") {
            let isKnown = (event["source"] as? String)?.hasSuffix("/known.dng") ?? false
            #expect((event["degraded"] as? String)?.contains("colours") == (isKnown ? nil : true), "\(event)")
        }
        #expect(workspace.shownPhotos == ["raw/known.neutral.jpg", "raw/unknown.neutral.jpg"])
        let summary = try #require(try ended.events("summary").first)
        #expect(summary["degraded"] as? Int == 1 && summary["completed"] as? Int == 1, "\(summary)")
        let status = try Rawmill.run("status", "--library", workspace.library.path)
        #expect(status.output.contains("2 accepted = 1 catalogued + 1 degraded + 0 failed"), "\(status.output)")
        let xmp = try ExternalTool.run(
            "exiftool", ["-s", "-a", "-XMP:all", workspace.photos.appending(path: "raw/unknown.neutral.jpg").path])
        #expect(xmp.contains("Degraded"), "\(xmp)")
    }

    @Test(
        "A sidecar's rating, title and keywords are inherited; a later one renders the photo again",
        .needs(.program("exiftool")))
    func sidecars() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert().status == 0)
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
             xmp:Rating="4" xmp:Label="Red"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Wiese</rdf:li></rdf:Alt></dc:title>
            <dc:subject><rdf:Bag><rdf:li>meadow</rdf:li><rdf:li>Grün</rdf:li></rdf:Bag></dc:subject></rdf:Description>
            </rdf:RDF></x:xmpmeta>
            """
        try Data(xmp.utf8).write(to: workspace.raw.appending(path: "sample-0001.dng.xmp"))
        let ended = try workspace.convert("--json")
        #expect(ended.status == 0)
        #expect(try ended.events("completed").count == 1)
        let photo = workspace.photos.appending(path: "raw/sample-0001.neutral.jpg").path
        let tags = try ExternalTool.run("exiftool", ["-s3", "-Rating", "-Label", "-Title", "-Subject", photo])
        #expect(tags == "4\nRed\nWiese\nmeadow, Grün\n")
        #expect(workspace.files(below: workspace.raw) == ["sample-0001.dng", "sample-0001.dng.xmp", "sample-0002.dng"])
    }

    @Test("The camera's JPEG beside a RAW is a resource of the asset")
    func companion() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert().status == 0)
        // A JPEG of the same shot: same capture time, same name.
        let jpeg = workspace.raw.appending(path: "sample-0001.jpg")
        try FileManager.default.copyItem(at: workspace.photos.appending(path: "raw/sample-0001.neutral.jpg"), to: jpeg)
        #expect(try workspace.convert().status == 0)
        let shown = try Rawmill.run(
            "library", "show", "photos/raw/sample-0001.neutral.jpg", "--library", workspace.library.path, "--json")
        let resources = try #require(try shown.events.first?["resources"] as? [[String: Any]])
        let kinds = Set(resources.compactMap { $0["kind"] as? String })
        #expect(kinds == ["photo", "preview", "alternatePhoto", "cameraPhoto"])
    }
}
