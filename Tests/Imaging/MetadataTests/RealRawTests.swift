import Foundation
import ExternalTools
import Testing

@testable import Metadata

/// The truncated NEF begins with a JPEG, as its maker's thumbnails do; the others are TIFF.
private func tags(of raw: [UInt8]) -> [ExifField] {
    ExifBlockReader.fields(of: raw) ?? ExifField.read(fromJPEG: Array(raw.prefix(JPEGMetadata.prefixByteCount)))
}

struct RealRawTests {
    @Test(
        "The tags of real RAWs give EXIF that exiftool accepts without warning", .needs(.realFiles),
        .needs(.program("exiftool")),
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
        let raw = try RealFiles.contents(of: name)
        let tags = tags(of: raw)
        let metadata = SourceMetadata(make: make, model: model ?? "", exif: tags)
        let bytes = try photo(exif: rendition(metadata).payload())
        #expect(try ExternalTool.run("exiftool", ["-s3", "-validate", "-warning", "-a"], on: bytes) == "OK\n")
        #expect(try ExternalTool.run("exiftool", ["-s3", "-Make"], on: bytes) == make + "\n")
        if let model { #expect(try ExternalTool.run("exiftool", ["-s3", "-Model"], on: bytes) == model + "\n") }
        if let exposure {
            #expect(
                try ExternalTool.run("exiftool", ["-s3", "-ExposureTime", "-ModifyDate"], on: bytes) == exposure)
        }
    }

    @Test(
        "Exposure, lens and date of a real RAW read the same in its rendition", .needs(.realFiles),
        .needs(.program("exiftool")))
    func keepsValues() throws {
        for name in ["gopro-hero8-unsupported.gpr", "truncated-header-only.nef"] {
            let raw = try RealFiles.contents(of: name)
            let tags = tags(of: raw)
            let bytes = try photo(exif: rendition(SourceMetadata(make: "", model: "", exif: tags)).payload())
            let names = ["ExposureTime", "FNumber", "ISO", "FocalLength", "DateTimeOriginal", "MeteringMode", "Flash"]
            let arguments = ["-s"] + names.map { "-EXIF:\($0)" }
            #expect(
                try ExternalTool.run("exiftool", arguments, on: bytes)
                    == ExternalTool.run("exiftool", arguments, on: raw, named: name))
        }
    }
}
