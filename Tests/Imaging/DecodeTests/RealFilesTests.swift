import ExternalTools
import Foundation
import PictureFormat
import Pixels
import Metadata
import TIFF
import Testing

@testable import Decode

/// Opens a file's bytes during `body`.
func withRaw<Result>(
    _ bytes: [UInt8], limits: DecodeLimits = .standard, _ body: (borrowing RawFile) throws -> Result
) throws -> Result {
    try bytes.withUnsafeBytes { try body(RawFile(bytes: $0, limits: limits)) }
}

func decodes(_ bytes: [UInt8]) -> Bool { (try? withRaw(bytes) { _ = try $0.decode().facts }) != nil }

@Suite struct RealFilesTests {
    @Test("The Canon DNG decodes with its stated levels, balance and size", .needs(.realFiles))
    func canonDNG() throws {
        let bytes = try RealFiles.contents(of: "canon-kiss-x4-colorchecker.dng")
        try withRaw(bytes) { raw in
            #expect(raw.frameCount == 1)
            let image = try raw.decode()
            #expect(image.plane.size == PixelSize(width: 1888, height: 1182))
            #expect(image.facts.crop == PixelRect(x: 152, y: 26, size: PixelSize(width: 1734, height: 1156)))
            #expect(image.facts.layout == .bayer([.red, .green, .green, .blue]))
            #expect(image.facts.black.values == [2056])
            #expect(image.facts.white == [15000, 15000, 15000])
            #expect(image.facts.matrices.map(\.illuminant) == [nil])
            let metadata = try raw.metadata()
            #expect(metadata.make == "Canon")
            #expect(metadata.model == "EOS Kiss X4")
        }
    }

    @Test("The EOS D30's CRW decodes, and its facts become EXIF tags", .needs(.realFiles))
    func crw() throws {
        let bytes = try RealFiles.contents(of: "canon-eos-d30.crw")
        try withRaw(bytes) { raw in
            let image = try raw.decode()
            #expect(image.plane.size == PixelSize(width: 2224, height: 1456))
            #expect(image.facts.matrices.count == 1)
            #expect(image.facts.crop.size == PixelSize(width: 2160, height: 1440))
            // The camera recorded "automatic" without gains; its own JPEG used 1.40 and 1.60.
            let balance = try #require(image.facts.whiteBalance)
            #expect(image.facts.whiteBalanceIsEstimated)
            #expect(abs(balance[0] - 1.40) < 0.2 && abs(balance[2] - 1.60) < 0.2, "\(balance)")
            let metadata = try raw.metadata()
            #expect(metadata.captured == "2018:01:01 13:03:32")
            #expect(metadata.exif.contains(.short(.photo, .photographicSensitivity, 100)))
        }
    }

    @Test("The DC50's KDC decodes", .needs(.realFiles))
    func kdc() throws {
        let bytes = try RealFiles.contents(of: "kodak-dc50.kdc")
        try withRaw(bytes) { raw in
            let metadata = try raw.metadata()
            #expect(metadata.captured == "1997:04:23 08:00:47")
            let image = try raw.decode()
            #expect(image.facts.layout == .bayer([.green, .red, .blue, .green]))
            #expect(image.facts.crop.size == PixelSize(width: 756, height: 504))
        }
    }

    @Test(
        "Files that cannot be decoded fail with a reason", .needs(.realFiles),
        arguments: [
            ("gopro-hero8-unsupported.gpr", DecodeError.Reason.unsupportedCamera),
            ("truncated-header-only.nef", .notRaw),
        ])
    func clearFailures(name: String, reason: DecodeError.Reason) throws {
        let bytes = try RealFiles.contents(of: name)
        let error = #expect(throws: DecodeError.self) {
            try withRaw(bytes) { raw in _ = try raw.decode().facts }
        }
        #expect(error?.reason == reason)
    }
}
