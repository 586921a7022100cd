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

    @Test("become photos of the right size, about which exiftool has nothing to say", arguments: good)
    func becomePhotos(file: (name: String, width: Int, height: Int)) throws {
        guard let raws = try RealFiles.folder() else { return }
        let bench = try Workbench()
        let stamp = try bench.put([UInt8](Data(contentsOf: raws.appending(path: file.name))), at: file.name)
        let rendition = try #require(try bench.renditions(try bench.job(stamp)).first)
        let photo = bench.file(rendition.photo.path).path
        if let keep = ProcessInfo.processInfo.environment["RAWMILL_KEEP_PHOTOS"] {
            try? FileManager.default.copyItem(atPath: photo, toPath: "\(keep)/\(file.name).jpg")
        }
        #expect(
            try output(of: "identify", "-format", "%w %h %[colorspace]", photo) == "\(file.width) \(file.height) sRGB")
        let complaints = try output(of: "exiftool", "-validate", "-warning", "-a", "-s3", photo)
        #expect(complaints == "OK", "\(complaints)")
        #expect(rendition.degraded == nil || file.name == "kodak-dc50.kdc")
        let preview = bench.file(rendition.preview.path).path
        #expect(try output(of: "identify", "-format", "%w", preview) == "\(min(2048, file.width))")
    }

    @Test("that cannot be decoded fail with their reason, and leave nothing", arguments: bad)
    func failClearly(file: (name: String, reasons: [FailureReason])) throws {
        guard let raws = try RealFiles.folder() else { return }
        let bench = try Workbench()
        let stamp = try bench.put([UInt8](Data(contentsOf: raws.appending(path: file.name))), at: file.name)
        guard case .failed(let failure) = bench.context.render(try bench.job(stamp)).outcome else {
            Issue.record("\(file.name) was rendered")
            return
        }
        #expect(file.reasons.contains(failure.reason), "\(failure)")
        #expect(failure.message.contains(file.name))
        #expect(try bench.library.entries(of: []).isEmpty)
    }
}
