import Foundation
import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Samples

@Suite("Samples") struct SampleTests {
    @Test("exiftool's validation accepts a sample", .needs(.program("exiftool")))
    func validates() throws {
        try withFolder { folder in
            let file = folder.appending(path: Sample.name(3))
            try Data(Sample.dng(index: 3, size: PixelSize(width: 640, height: 426))).write(to: file)
            let output = try ExternalTool.run("exiftool", ["-validate", "-warning", "-error", "-a", file.path])
            #expect(output.split(separator: "\n").map { $0.replacing(/\s+/, with: " ") } == ["Validate : OK"])
        }
    }

    @Test("LibRaw opens a sample and finds its size", .needs(.program("raw-identify")))
    func libRawOpens() throws {
        try withFolder { folder in
            let file = folder.appending(path: Sample.name(1))
            try Data(Sample.dng(index: 1, size: PixelSize(width: 600, height: 400))).write(to: file)
            let facts = try ExternalTool.run("raw-identify", ["-v", file.path])
            #expect(facts.replacing(#/ +/#, with: " ").contains("Output size: 600 x 400"))
        }
    }

    @Test(
        "A sample with margins, in either byte order, gives LibRaw its picture and is valid to exiftool",
        .needs(.program("raw-identify")), .needs(.program("exiftool")), arguments: [false, true])
    func margins(isBigEndian: Bool) throws {
        try withFolder { folder in
            let file = folder.appending(path: Sample.name(1))
            let bytes = Sample.dng(
                index: 1, size: PixelSize(width: 600, height: 400), preview: .good, isBigEndian: isBigEndian,
                hasMargins: true)
            #expect(bytes.starts(with: (isBigEndian ? "MM" : "II").utf8))
            try Data(bytes).write(to: file)
            let facts = try ExternalTool.run("raw-identify", ["-v", file.path]).replacing(#/ +/#, with: " ")
            #expect(facts.contains("Full size: 640 x 432") && facts.contains("Image size: 616 x 416"), "\(facts)")
            let output = try ExternalTool.run("exiftool", ["-validate", "-warning", "-error", "-a", file.path])
            #expect(output.split(separator: "\n").map { $0.replacing(/\s+/, with: " ") } == ["Validate : OK"])
            let crop = try ExternalTool.run("exiftool", ["-s3", "-DefaultCropSize", file.path])
            #expect(crop.hasPrefix("600 400"))
        }
    }

    @Test("The same index gives the same bytes, another index others")
    func isDeterministic() {
        let size = PixelSize(width: 96, height: 64)
        #expect(Sample.dng(index: 7, size: size) == Sample.dng(index: 7, size: size))
        #expect(Sample.dng(index: 7, size: size) != Sample.dng(index: 8, size: size))
    }

    @Test("A burst has two frames, and a truncated one ends within the second")
    func bursts() {
        let size = PixelSize(width: 96, height: 64)
        let (burst, cut) = (Sample.burst(index: 7, size: size), Sample.burst(index: 7, size: size, isCut: true))
        #expect(burst.count > cut.count && burst.starts(with: cut))
        #expect(burst.count > Sample.dng(index: 7, size: size).count * 3 / 2)
    }

    @Test("A size in megapixels has the ratio 3:2 and even sides", arguments: [0.01, 1, 24, 45])
    func sizes(megapixels: Double) {
        let size = Sample.size(megapixels: megapixels)
        #expect(size.width % 2 == 0 && size.height % 2 == 0)
        #expect(abs(Double(size.width) / Double(size.height) - 1.5) < 0.1)
    }

    @Test("The scene has shadows, mid tones and clipped highlights")
    func usesTheRange() {
        let camera = SampleCamera()
        let size = PixelSize(width: 300, height: 200)
        let plane = camera.expose(SampleScene(seed: 1), size: size, layout: .bayer([.red, .green, .green, .blue]))
        var clipped = 0
        var dark = 0
        var middle = 0
        for y in 0..<size.height {
            let row = plane.row(y)
            for x in 0..<size.width {
                if row[x] >= camera.white { clipped += 1 }
                if row[x] < 1000 { dark += 1 }
                if (2000..<9000).contains(row[x]) { middle += 1 }
            }
        }
        #expect(clipped > 20 && clipped < 6000)
        #expect(dark > 300)
        #expect(middle > 6000)
    }
}

@Suite("Writing samples") struct WriteSampleTests {
    @Test("A sample is written completely, and nothing else stays in the folder")
    func writes() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a.dng")
            try Sample.write(index: 2, size: PixelSize(width: 64, height: 48), to: file.path)
            #expect(try [UInt8](Data(contentsOf: file)) == Sample.dng(index: 2, size: PixelSize(width: 64, height: 48)))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.dng"])
        }
    }

    @Test("A missing folder is an error that names the file")
    func missingFolder() {
        let error = #expect(throws: SampleError.self) {
            try Sample.write(index: 2, size: PixelSize(width: 64, height: 48), to: "/nowhere/a.dng")
        }
        #expect(error?.description.contains("/nowhere/a.dng") == true)
    }
}
