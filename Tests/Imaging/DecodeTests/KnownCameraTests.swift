import CameraFiles
import ExternalTools
import PictureFormat
import Testing

@testable import Decode

/// The list of cameras, compared with the decoding of their files.
@Suite struct KnownCameraTests {
    /// LibRaw 0.20 differs from 0.21 in the case of some names, and in notes after names.
    private func camera(_ text: String) throws -> KnownCamera {
        let found = try KnownCamera.all().first { camera in
            let name = "\(camera.make) \(camera.model)".lowercased()
            return name == text.lowercased() || name.hasPrefix(text.lowercased() + " (uncompressed")
        }
        return try #require(found, "\(text)")
    }

    @Test("Every line of LibRaw's list is a maker and a model, and most have a colour matrix")
    func all() throws {
        let cameras = try KnownCamera.all()
        #expect(cameras.count > 1000)
        #expect(cameras.allSatisfy { !$0.make.isEmpty && !$0.model.isEmpty })
        #expect(cameras.count { $0.hasColourMatrix } > cameras.count / 2)
    }

    @Test(
        "Makers of several words, and with two spellings in LibRaw, are separated correctly",
        arguments: [
            ("Canon EOS 77D / 9000D", "Canon", "EOS 77D / 9000D"), ("PhaseOne P 30+", "PhaseOne", "P 30+"),
            ("FujiFilm X100T", "FujiFilm", "X100T"), ("Nobody's X1", "Nobody's", "X1"), ("Alone", "", "Alone"),
            ("Phase One", "Phase One", ""), ("Leafy 22", "Leafy", "22"),
        ])
    func names(text: String, make: String, model: String) {
        let name = CameraName(text, makers: RawLibrary.makers)
        #expect(name.make == make)
        #expect(name.model == model)
    }

    @Test("A model is found by each of its names")
    func candidates() {
        let makers = RawLibrary.makers
        #expect(CameraName("Canon EOS 77D / 9000D", makers: makers).candidates.contains("9000D"))
        #expect(CameraName("Sony ILCE-7 (A7)", makers: makers).candidates.contains("ILCE-7"))
        #expect(CameraName("Nikon Coolpix 950 (\"DIAG RAW\" hack)", makers: makers).candidates.contains("E950"))
    }

    @Test("No camera whose files Rawmill unpacks is listed as partly supported")
    func remarks() throws {
        let name = CameraName("FujiFilm X-T4 (uncompressed and lossless compressed only)", makers: RawLibrary.makers)
        #expect(name.unlimitedModel == "X-T4")
        #expect(try KnownCamera.all().allSatisfy { $0.unpacker == .libraw || !$0.model.hasSuffix(" only)") })
    }

    @Test(
        "Colours are known only for cameras in LibRaw's tables",
        arguments: [
            ("Canon EOS 5D", true), ("Sony ILCE-7 (A7)", true), ("Canon EOS 77D / 9000D", true),
            ("Nikon D700", true), ("Kodak DC50", false),
        ])
    func colours(text: String, isKnown: Bool) throws {
        #expect(try camera(text).hasColourMatrix == isKnown)
    }

    @Test(
        "Cameras that write CR2, DNG, X-Trans RAF, or the usual PEF, ORF or RW2 are unpacked by Rawmill",
        arguments: [
            ("Canon EOS 40D", true), ("Canon EOS 5D Mark IV", true), ("Canon PowerShot G9", true),
            ("Adobe Digital Negative (DNG)", true), ("Leica M9", true), ("Apple iPhone X", true),
            ("Canon EOS D30", false), ("Canon EOS-1D Mark III", false), ("Canon EOS RP", false),
            ("Canon PowerShot G7 (CHDK hack)", false), ("Leica V-LUX4", true), ("Nikon D700", false),
            ("Apple QuickTake 100", false), ("Canon EOS 90D", false), ("Leica V-LUX1", false),
            ("Leica Digilux 2", false),
            ("Pentax K-5 II", true), ("Pentax K-1", false), ("Pentax K-01", true), ("Pentax 645D", true),
            ("Pentax *ist D", false), ("Olympus E-M5", true), ("Olympus E-1", false), ("Olympus C-5050Z", false),
            ("Olympus Pen-F", true), ("Panasonic DMC-GH4", true), ("Panasonic DC-GH5S", true),
            ("Panasonic DMC-L10", false),
            ("Panasonic DC-S1R", false), ("FujiFilm X-T3", true), ("FujiFilm X100F", true),
            ("FujiFilm X-T4", true), ("FujiFilm GFX 100", false),
        ])
    func unpackers(text: String, isOwn: Bool) throws {
        #expect(try camera(text).unpacker == (isOwn ? .rawmill : .libraw))
    }

    @Test("The list agrees with the decoding of files", .needs(.realFiles))
    func files() throws {
        let listed = try camera("Canon EOS 40D")
        let file = CR2File()
        #expect(file.model == "\(listed.make) \(listed.model)")
        try file.bytes(file.plane()).withUnsafeBytes { bytes in
            let frame = try Frame(0, of: bytes, limits: .standard)
            let layout = try #require(frame.raw.facts.layout)
            #expect(try StoredSamples(frame, layout) != nil)
        }
        try RealFiles.contents(of: "canon-eos-d30.crw").withUnsafeBytes { bytes in
            let frame = try Frame(0, of: bytes, limits: .standard)
            let layout = try #require(frame.raw.facts.layout)
            #expect(try StoredSamples(frame, layout) == nil)
            #expect(try camera("Canon \(frame.raw.text(.normalizedModel))").unpacker == .libraw)
        }
    }
}
