import ExternalTools
import PictureFormat
import Pixels
import SeededRandom
import Testing

@testable import Metadata
import TIFF

struct RenditionExifTests {
    @Test(
        "exiftool accepts a rendition of a careful camera's RAW without warning, in any colour space",
        .needs(.program("exiftool")))
    func isValid() throws {
        for space in ColourSpace.allCases {
            let thumbnail = try photo(width: 160, height: 107, isTagged: false)
            let exif = rendition(isSRGB: space == .sRGB, thumbnail: thumbnail).payload()
            let bytes = try photo(exif: exif, space: space)
            #expect(try ExternalTool.run("exiftool", ["-s3", "-validate", "-warning", "-a"], on: bytes) == "OK\n")
        }
    }

    @Test("exiftool reads all kept and rewritten fields", .needs(.program("exiftool")))
    func isRead() throws {
        let exif = rendition(width: 48, height: 32).payload()
        let bytes = try photo(exif: exif)
        let tags = [
            ("Make", "Example"), ("Model", "Example One"), ("Artist", "Ada Photographer"),
            ("Copyright", "© Ada; Editor"), ("ModifyDate", "2024:05:01 10:00:00"),
            ("DateTimeOriginal", "2024:05:01 10:00:00"), ("SubSecTimeOriginal", "437"), ("OffsetTime", "+02:00"),
            ("ExposureTime", "1/250"), ("FNumber", "5.6"), ("ISO", "400"), ("ExposureCompensation", "-2/3"),
            ("FocalLength", "35.0 mm"), ("LensInfo", "35mm f/2"), ("LensModel", "35mm f/2"),
            ("SerialNumber", "SN-77"), ("ImageUniqueID", "0123456789abcdef0123456789abcdef"),
            ("Orientation", "Horizontal (normal)"), ("ExifImageWidth", "48"), ("ExifImageHeight", "32"),
            ("Software", "Rawmill 1"), ("ColorSpace", "sRGB"), ("ExifVersion", "0232"), ("XResolution", "72"),
            ("GPSPosition", "50 deg 7' 30.00\" N, 8 deg 40' 12.00\" E"), ("GPSAltitude", "123.4 m Above Sea Level"),
            ("GPSHPositioningError", "5 m"),
        ]
        for (name, value) in tags {
            #expect(try ExternalTool.run("exiftool", ["-s3", "-\(name)"], on: bytes) == value + "\n", "\(name)")
        }
        let dropped = [
            "-IFD0:ImageWidth", "-Compression", "-StripOffsets", "-DNGVersion", "-MakerNotes:all",
            "-PhotometricInterpretation",
        ]
        #expect(try ExternalTool.run("exiftool", ["-s3"] + dropped, on: bytes) == "")
    }

    @Test("The thumbnail can be extracted intact", .needs(.program("exiftool")), .needs(.program("identify")))
    func carriesThumbnail() throws {
        let thumbnail = try photo(width: 160, height: 107, isTagged: false)
        let bytes = try photo(exif: rendition(thumbnail: thumbnail).payload())
        let size = try ExternalTool.run(
            "exiftool", ["-s3", "-ThumbnailLength", "-IFD1:Compression", "-n"], on: bytes)
        #expect(size == "\(thumbnail.count)\n6\n")
        #expect(
            try ExternalTool.run(
                "sh", ["-c", "exiftool -b -ThumbnailImage \"$0\" | identify -format '%w %h' -"], on: bytes)
                == "160 107")
    }

    @Test(
        "Blank, zero and impossible values of a careless camera are left out, and exiftool reports no warning",
        .needs(.program("exiftool")))
    func survivesCarelessCameras() throws {
        let tags: [ExifField] = [
            .text(.image, .dateTime, ""), .text(.image, .artist, "   "), .text(.image, .copyright, ""),
            .rational(.photo, .exposureTime, 0, 0), .rational(.photo, .fNumber, 0, 1),
            .short(.photo, .exposureProgram, 77),
            .short(.photo, .photographicSensitivity, 0), .text(.photo, .dateTimeOriginal, "0000:00:00 00:00:00"),
            .short(.photo, .meteringMode, 99),
            .short(.photo, .flash, 3), .text(.photo, .offsetTimeOriginal, "2 h"), .short(.photo, .lightSource, 6),
            .text(.gps, .gpsLatitudeRef, "N"), .rational(.gps, .gpsLatitude, 0, 0), .text(.gps, .gpsStatus, "?"),
            .bytes(.gps, .gpsProcessingMethod, [1, 2]),
            .long(.photo, .exposureMode, 70_000), .bytes(.photo, .userComment, [UInt8](repeating: 0, count: 264)),
            .short(.image, TIFFTag(rawValue: 0x4746), 5), .text(.image, TIFFTag(rawValue: 0xFDE8), "x"),
            .rational(.photo, .photographicSensitivity, 1, 2),
            ExifField(directory: .photo, tag: .shutterSpeedValue, type: .rational, value: [1, 2, 3]),
            ExifField(
                directory: .image, tag: .imageDescription, type: .ascii, value: [0xA9, 0x20, 0x41, 0x01, 0x00, 0xFF]),
        ]
        let bytes = try photo(exif: rendition(source(tags)).payload())
        #expect(try ExternalTool.run("exiftool", ["-s3", "-validate", "-warning", "-a"], on: bytes) == "OK\n")
        #expect(try ExternalTool.run("exiftool", ["-s3", "-ImageDescription"], on: bytes) == "© A; ÿ\n")
        #expect(
            try ExternalTool.run(
                "exiftool", ["-s3", "-ExposureTime", "-ISO", "-DateTimeOriginal", "-GPS:all"], on: bytes)
                == "")
    }

    @Test("A RAW without EXIF still names its camera and date", .needs(.program("exiftool")))
    func usesFacts() throws {
        let bytes = try photo(exif: rendition(source([], captured: "2018:01:01 13:03:32")).payload())
        let report = try ExternalTool.run(
            "exiftool", ["-s3", "-Make", "-Model", "-DateTimeOriginal", "-ModifyDate"], on: bytes)
        #expect(report == "Example\nExample One\n2018:01:01 13:03:32\n2018:01:01 13:03:32\n")
        #expect(try ExternalTool.run("exiftool", ["-s3", "-validate", "-warning", "-a"], on: bytes) == "OK\n")
    }

    @Test("A sensitivity beyond EXIF's 16 bits is written as 65535", .needs(.program("exiftool")))
    func saturatesISO() throws {
        let bytes = try photo(exif: rendition(source([.long(.photo, .photographicSensitivity, 102_400)])).payload())
        #expect(try ExternalTool.run("exiftool", ["-s3", "-ISO"], on: bytes) == "65535\n")
    }

    @Test(
        "A block that would be too long loses its thumbnail, then its longest texts, and stays valid",
        .needs(.program("exiftool")))
    func shrinks() throws {
        let long = String(repeating: "x", count: 40_000)
        let thumbnail = try photo(isTagged: false) + [UInt8](repeating: 0, count: 30_000)
        let full = rendition(source(cameraFields() + [.text(.image, .imageDescription, long)]), thumbnail: thumbnail)
        #expect(
            full.payload().count
                == {
                    var bare = full
                    bare.thumbnail = nil
                    return bare.payload().count
                }())
        let crowded = rendition(
            source(
                cameraFields() + [
                    .text(.image, .imageDescription, long), .text(.photo, .lensSerialNumber, long + long),
                ]))
        let bytes = try photo(exif: crowded.payload())
        #expect(crowded.payload().count <= RenditionExif.byteLimit)
        #expect(try ExternalTool.run("exiftool", ["-s3", "-validate", "-warning", "-a"], on: bytes) == "OK\n")
        #expect(
            try ExternalTool.run("exiftool", ["-s3", "-LensSerialNumber", "-Artist"], on: bytes)
                == "Ada Photographer\n")
    }

    @Test("The same RAW gives the same bytes for any order of its tags, if no two are the same")
    func isDeterministic() {
        let expected = rendition().payload()
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20 {
            #expect(rendition(source(cameraFields().shuffled(using: &generator))).payload() == expected)
        }
    }

    @Test("No tag of any number, type and value makes a block too long or traps", arguments: 1...20)
    func survivesAnything(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let known = ExifRules.image.map(\.tag) + ExifRules.photo.map(\.tag) + ExifRules.gps.map(\.tag)
        for _ in 0..<50 {
            let tags = (0..<60).map { _ in
                ExifField(
                    directory: ExifDirectory.allCases.randomElement(using: &generator) ?? .image,
                    tag: known.randomElement(using: &generator) ?? .make,
                    type: FieldType(rawValue: UInt16.random(in: 1...12, using: &generator)) ?? .byte,
                    value: (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                        UInt8.random(in: 0...255, using: &generator)
                    })
            }
            let payload = rendition(source(tags), width: .max, height: -3).payload()
            #expect(payload.count > 100 && payload.count <= RenditionExif.byteLimit)
        }
    }
}
