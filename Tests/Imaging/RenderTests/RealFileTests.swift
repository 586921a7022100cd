import DirectRender
import Foundation
import Jobs
import ExternalTools
import Manifests
import Render
import Storage
import Testing

@Suite("Real files") struct RealFileTests {
    static let good: [(name: String, width: Int, height: Int)] = [
        ("canon-eos-d30.crw", 2160, 1440), ("canon-kiss-x4-colorchecker.dng", 1734, 1156), ("kodak-dc50.kdc", 756, 504),
    ]
    static let bad: [(name: String, reasons: [FailureReason])] = [
        ("gopro-hero8-unsupported.gpr", [.unsupportedCamera]), ("truncated-header-only.nef", [.notRaw]),
    ]

    @Test(
        "Real files become photos of the right size that exiftool accepts", .needs(.realFiles),
        .needs(.program("identify")), .needs(.program("exiftool")), arguments: good)
    func becomePhotos(file: (name: String, width: Int, height: Int)) throws {
        let fixture = try RenderFixture()
        let stamp = try fixture.put(RealFiles.contents(of: file.name), at: file.name)
        let rendition = try #require(try fixture.renditions(try fixture.job(stamp)).first)
        let photo = fixture.file(rendition.photo.path).path
        if let keep = ProcessInfo.processInfo.environment["RAWMILL_KEEP_PHOTOS"] {
            try? FileManager.default.copyItem(atPath: photo, toPath: "\(keep)/\(file.name).jpg")
        }
        #expect(
            try output(of: "identify", "-format", "%w %h %[colorspace]", photo) == "\(file.width) \(file.height) sRGB")
        let complaints = try output(of: "exiftool", "-validate", "-warning", "-a", "-s3", photo)
        #expect(complaints == "OK", "\(complaints)")
        #expect(rendition.degraded == nil)
        let preview = fixture.file(rendition.preview.path).path
        #expect(try output(of: "identify", "-format", "%w", preview) == "\(min(2048, file.width))")
    }

    @Test("Files that cannot be decoded fail with a reason, and leave no files", .needs(.realFiles), arguments: bad)
    func failClearly(file: (name: String, reasons: [FailureReason])) throws {
        let fixture = try RenderFixture()
        let stamp = try fixture.put(RealFiles.contents(of: file.name), at: file.name)
        guard case .failed(let failure) = fixture.context.render(try fixture.job(stamp)).outcome else {
            Issue.record("\(file.name) was rendered")
            return
        }
        #expect(file.reasons.contains(failure.reason), "\(failure)")
        #expect(failure.message.contains(file.name))
        #expect(try fixture.library.entries(of: []).isEmpty)
    }
}
