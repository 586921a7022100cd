import ExternalTools
import Foundation
import Testing

/// Location and equipment in photos.
struct StripTests {
    private func tags(_ photo: URL) throws -> String {
        try ExternalTool.run("exiftool", ["-a", "-G1", "-s", photo.path])
    }

    @Test(
        "A photo keeps place, serial numbers and owner, or leaves them out, as requested",
        .needs(.program("exiftool")))
    func details() throws {
        let workspace = try Workspace()
        let secret = workspace.raw.appending(path: "smith-divorce")
        try workspace.makeSamples(1, in: secret)
        _ = try ExternalTool.run(
            "exiftool",
            [
                "-q", "-overwrite_original", "-GPSLatitude=48.137", "-GPSLatitudeRef=N", "-GPSLongitude=11.575",
                "-GPSLongitudeRef=E", "-ExifIFD:SerialNumber=S4711", "-ExifIFD:LensSerialNumber=L4711",
                "-ExifIFD:OwnerName=Jane Doe",
                secret.appending(path: "sample-0001.dng").path,
            ])
        let words = ["GPSLatitude", "S4711", "L4711", "Jane Doe", "smith-divorce"]
        #expect(try workspace.convert().status == 0)
        let whole = try tags(workspace.photos.appending(path: "raw/smith-divorce/sample-0001.neutral.jpg"))
        for word in words { #expect(whole.contains(word), "\(word) in \(whole)") }
        // A path is relative to the root, never absolute.
        #expect(!whole.contains(workspace.folder.path + "/raw"))
        #expect(try workspace.convert("--strip", "all", "--look", "mono").status == 0)
        let photo = workspace.photos.appending(path: "raw/smith-divorce/sample-0001.mono.jpg")
        let bare = try tags(photo)
        for word in words.dropLast() { #expect(!bare.contains(word), "\(word) in \(bare)") }
        let bytes = try Data(contentsOf: photo)
        #expect(bytes.range(of: Data("smith-divorce".utf8)) == nil && bytes.range(of: Data("S4711".utf8)) == nil)
        #expect(try workspace.convert("--strip", "location", "--look", "sepia").status == 0)
        let placeless = try tags(workspace.photos.appending(path: "raw/smith-divorce/sample-0001.sepia.jpg"))
        #expect(!placeless.contains("GPSLatitude") && placeless.contains("S4711"))
        let verified = try Rawmill.run("library", "verify", "--library", workspace.library.path)
        #expect(verified.status == 0, "\(verified.output)")
    }
}
