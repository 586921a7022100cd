import TIFF
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

@Suite("Camera profiles as files") struct CameraProfileFileTests {
    private static func writer(_ camera: String?, hueShift: Float = 0) -> ProfileWriter {
        var writer = ProfileWriter(camera: camera)
        writer.hueShift = hueShift
        return writer
    }

    @Test("A profile states its camera, in either byte order", arguments: [true, false])
    func read(littleEndian: Bool) throws {
        var writer = Self.writer("Canon EOS 550D", hueShift: 20)
        writer.littleEndian = littleEndian
        let profile = try CameraProfileFile(writer.file())
        #expect(profile.camera == "Canon EOS 550D" && profile.name == "Rawmill sample")
        let matrices = profile.matrices(nil)
        #expect(matrices.map(\.illuminant) == [17, 21])
        #expect(matrices.allSatisfy { $0.hueSatMap?.points.first == [20, 1, 1] })
    }

    @Test("Invalid profiles are refused: a DNG, a truncated file, a missing matrix, a wrong table")
    func refused() throws {
        let good = Self.writer("A").file()
        var files: [[UInt8]] = [[], Array("IIRC".utf8), DNGWriter().file(DNGVariant().picture())]
        files += stride(from: 8, to: good.count - 1, by: 7).map { Array(good.prefix($0)) }
        for fields: [TIFFTag: TIFFValue] in [
            [.profileHueSatMapDims: .longs([6, 2, 2])], [.profileLookTableData: .longs([1, 1, 1])],
            [
                .colorMatrix1: .shorts([UInt16](repeating: 0, count: 9)),
                .colorMatrix2: .shorts([UInt16](repeating: 0, count: 9)),
            ],
        ] {
            var writer = Self.writer("A")
            writer.fields = fields
            files.append(writer.file())
        }
        for file in files { #expect(throws: CameraProfileError.self) { try CameraProfileFile(file) } }
    }

    @Test("A profile replaces the file's own, and keeps the calibration of the single camera")
    func decoded() throws {
        let file = DNGWriter().file(DNGVariant().picture())
        var writer = Self.writer("A", hueShift: 7)
        writer.fields = [.baselineExposureOffset: .signedRationals([Rational(1, 2)])]
        let profile = try CameraProfileFile(writer.file())
        try withRaw(file) { raw in
            let (own, other) = (try raw.decode().facts, try raw.decode(profile: profile).facts)
            #expect(own.matrices.allSatisfy { $0.hueSatMap == nil })
            #expect(other.matrices.allSatisfy { $0.hueSatMap?.points.first == [7, 1, 1] })
            #expect(other.baselineExposure == own.baselineExposure + 0.5)
            let camera = SampleCamera()
            #expect(try raw.cameraNames().first == "\(camera.make) \(camera.model)")
        }
    }

    // MARK: - Packs

    @Test("A file applies to every camera; a folder's file to its own camera, ignoring case and blanks in names")
    func choice() throws {
        let one = try CameraProfilePack(Self.writer("Some Camera").file())
        #expect(try CameraProfilePack(packed: one.bytes).profile(for: ["Another"])?.camera == "Some Camera")
        let folder = try CameraProfilePack(folder: [
            ("b.dcp", Self.writer("Canon EOS 550D").file()), ("a.dcp", Self.writer("Nikon  D90").file()),
        ])
        let read = try CameraProfilePack(packed: folder.bytes)
        for pack in [folder, read] {
            #expect(try pack.profile(for: ["unknown", "CANON EOS 550D "])?.camera == "Canon EOS 550D")
            #expect(try pack.profile(for: ["Nikon D90"])?.camera == "Nikon  D90")
            #expect(try pack.profile(for: ["Nikon D80", ""]) == nil)
        }
    }

    @Test(
        "A camera sold under several names finds a profile for any of them, preferring its own",
        arguments: [
            ("Canon EOS 550D", "Canon EOS Kiss X4"), ("Canon EOS REBEL T2i", "Canon EOS 550D"),
            ("Canon EOS Kiss X4", "CANON EOS REBEL T2I"), ("Canon EOS DIGITAL REBEL XSi", "Canon EOS 450D"),
            ("Panasonic DMC-FZ35", "Panasonic DMC-FZ38"), ("Samsung EX1", "Samsung TL500"),
        ])
    func aliases(profile: String, camera: String) throws {
        let (file, other) = (Self.writer(profile).file(), Self.writer("Nikon D90").file())
        let packed = try CameraProfilePack(folder: [("a", file), ("b", other)]).bytes
        let pack = try CameraProfilePack(packed: packed)
        #expect(try pack.profile(for: [camera])?.camera == profile)
        #expect(try pack.profile(for: ["Canon EOS 5D"]) == nil)
        let both = try CameraProfilePack(folder: [("a", file), ("b", Self.writer(camera, hueShift: 4).file())])
        #expect(try both.profile(for: [camera])?.camera == camera)
        #expect(try both.profile(for: [profile])?.camera == profile)
    }

    @Test("Names come from LibRaw's list: completed by the first one's beginning, without text in brackets")
    func names() {
        let makers = RawLibrary.makers
        func others(_ camera: String, _ line: String) -> Set<String> {
            Set(CameraAliases([CameraName(line, makers: makers)]).others(of: camera))
        }
        let line = "Canon EOS 550D / Rebel T2i / Kiss X4"
        #expect(others("canon eos 550d", line).isSuperset(of: ["canon eos rebel t2i", "canon eos kiss x4"]))
        #expect(!others("canon eos 550d", line).contains("canon eos 550d"))
        #expect(others("panasonic dmc-gx80", "Panasonic DMC-GX80 / GX85, DMC-GX7mkII").contains("panasonic dmc-gx85"))
        #expect(others("huawei p9 (eva-l09", "Huawei P9 (EVA-L09/AL00)").isEmpty)
        #expect(others("canon eos 5d", "Canon EOS 5D").isEmpty)
    }

    @Test("The same profiles give the same bytes under other names, in another order, and with duplicates")
    func identity() throws {
        let (a, b) = (Self.writer("A").file(), Self.writer("B", hueShift: 3).file())
        let pack = try CameraProfilePack(folder: [("1.dcp", a), ("2.dcp", b)])
        #expect(try CameraProfilePack(folder: [("x.dcp", b), ("y.dcp", a), ("z.dcp", a)]).bytes == pack.bytes)
        #expect(try CameraProfilePack(folder: [("1.dcp", a)]).bytes != pack.bytes)
    }

    @Test("A folder is refused by name if it has no profile, a damaged one, two for one camera, or one for no camera")
    func refusedFolders() throws {
        let good = Self.writer("A").file()
        let folders: [([(name: String, bytes: [UInt8])], String)] = [
            ([], "no .dcp"), ([("a.dcp", good), ("bad.dcp", [1, 2, 3])], "bad.dcp"),
            ([("a.dcp", good), ("b.dcp", Self.writer("a", hueShift: 9).file())], "a.dcp and b.dcp"),
            ([("c.dcp", Self.writer(nil).file())], "c.dcp"),
        ]
        for (folder, part) in folders {
            #expect(
                performing: { try CameraProfilePack(folder: folder) },
                throws: { "\($0)".contains(part) })
        }
    }

    @Test("Truncated or changed packs are refused or give damaged profiles, and never trap")
    func damagedPacks() throws {
        let pack = try CameraProfilePack(folder: [("a", Self.writer("A").file()), ("b", Self.writer("B").file())])
        for count in stride(from: 0, to: pack.bytes.count, by: 11) {
            #expect(throws: CameraProfileError.self) { try CameraProfilePack(packed: Array(pack.bytes.prefix(count))) }
        }
        for index in 0..<60 {
            var changed = pack.bytes
            changed[index] ^= 0x31
            _ = try? CameraProfilePack(packed: changed).profile(for: ["A", "B"])
        }
    }
}
