import Foundation
import Testing

@testable import Metadata

/// The folder with real RAW files beside the package; nil where it is missing, which CI does not accept.
private func realRaw(_ name: String) throws -> [UInt8]? {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    for folder in ["../shared/raw", "../../shared/raw"] {
        if let data = try? Data(contentsOf: package.appending(path: "\(folder)/\(name)")) { return [UInt8](data) }
    }
    try #require(ProcessInfo.processInfo.environment["CI"] == nil, "CI needs the real RAW files")
    print("skipped \(name): no folder ../shared/raw beside the package")
    return nil
}

/// The truncated NEF begins with a JPEG, as its maker's thumbnails do; the others are TIFF.
private func tags(of raw: [UInt8]) -> [ExifTag] {
    TIFFReader(raw[...])?.tags() ?? ExifTag.read(fromJPEG: Array(raw.prefix(JPEGWalker.prefixByteCount)))
}

struct RealRawTests {
    @Test(
        "The tags of real RAWs make EXIF that exiftool has nothing to say about",
        arguments: [
            ("canon-kiss-x4-colorchecker.dng", "Canon", "Canon EOS Kiss X4", ""),
            (
                "kodak-dc50.kdc", "Eastman Kodak Company", "Kodak Digital Science DC50 Zoom Camera",
                "1/230\n1997:04:23 08:00:47\n"
            ),
            ("gopro-hero8-unsupported.gpr", "GoPro", "HERO8 Black", nil),
            ("truncated-header-only.nef", "NIKON CORPORATION", nil, nil),
        ] as [(String, String, String?, String?)])
    func isValid(name: String, make: String, model: String?, exposure: String?) throws {
        guard let raw = try realRaw(name) else { return }
        let tags = tags(of: raw)
        let metadata = SourceMetadata(make: make, model: model ?? "", exif: tags)
        let bytes = try photo(exif: rendition(metadata).payload())
        #expect(try judge(bytes, by: ["exiftool", "-s3", "-validate", "-warning", "-a"]) == "OK\n")
        #expect(try judge(bytes, by: ["exiftool", "-s3", "-Make"]) == make + "\n")
        if let model { #expect(try judge(bytes, by: ["exiftool", "-s3", "-Model"]) == model + "\n") }
        if let exposure {
            #expect(try judge(bytes, by: ["exiftool", "-s3", "-ExposureTime", "-ModifyDate"]) == exposure)
        }
    }

    @Test("Exposure, lens and date of a real RAW read the same in its rendition")
    func keepsValues() throws {
        for name in ["gopro-hero8-unsupported.gpr", "truncated-header-only.nef"] {
            guard let raw = try realRaw(name) else { continue }
            let tags = tags(of: raw)
            let bytes = try photo(exif: rendition(SourceMetadata(make: "", model: "", exif: tags)).payload())
            let names = ["ExposureTime", "FNumber", "ISO", "FocalLength", "DateTimeOriginal", "MeteringMode", "Flash"]
            let arguments = ["exiftool", "-s"] + names.map { "-EXIF:\($0)" }
            #expect(try judge(bytes, by: arguments) == judge(raw, named: name, by: arguments))
        }
    }
}
