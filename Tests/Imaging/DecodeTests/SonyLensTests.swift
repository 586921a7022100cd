import ExternalTools
import Foundation
import Metadata
import PictureFormat
import Pixels
import TIFF
import Testing

@testable import Decode
@testable import Samples

/// Generated files with the fields of Sony's cameras: no file of a camera was available.
@Suite("Lens corrections of Sony's cameras") struct SonyLensTests {
    private static let size = PixelSize(width: 640, height: 480)
    /// Values of a camera with a 28 mm lens (Stannum, 2018).
    private static let distortion: [Int16] = [-5, -1, 4, 11, 18, 26, 35, 43, 49, 54, 55, 51, 40, 21, -11, -50]
    private static let red: [Int16] = (0..<16).map { Int16(128 * ($0 - 4)) }
    private static let blue: [Int16] = (0..<16).map { Int16(-384 + 128 * ($0 / 4)) }

    /// A camera's file: a directory for the camera, and one for 14-bit samples.
    static func file(
        make: String = "SONY", distortion: [Int16]? = distortion, colour: [Int16]? = red + blue,
        setting: Int16 = 1, count: Int16? = nil
    ) -> [UInt8] {
        var samples: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let value = UInt16(600 + (x * 7 + y * 3) % 4000)
                samples += [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
            }
        }
        var raw = ImageFileDirectory([
            .newSubfileType: .longs([0]), .imageWidth: .longs([UInt32(size.width)]),
            .imageLength: .longs([UInt32(size.height)]), .bitsPerSample: .shorts([14]), .compression: .shorts([1]),
            .photometricInterpretation: .shorts([32803]), .samplesPerPixel: .shorts([1]),
            .planarConfiguration: .shorts([1]), .rowsPerStrip: .longs([UInt32(size.height)]),
            .stripOffsets: .chunkOffsets(first: 0, count: 1), .stripByteCounts: .longs([UInt32(samples.count)]),
            .cfaRepeatPatternDim: .shorts([2, 2]), .cfaPattern: .bytes([0, 1, 1, 2]),
            .sonyDistortionSetting: .signedShorts([setting]), .sonyLateralColourSetting: .signedShorts([setting]),
        ])
        raw[.sonyDistortion] = distortion.map { .signedShorts([count ?? Int16($0.count)] + $0) }
        raw[.sonyLateralColour] = colour.map { .signedShorts([Int16($0.count)] + $0) }
        let main = ImageFileDirectory([
            .make: .ascii(make), .model: .ascii("ILCE-7M3"), .orientation: .shorts([1]), .subIFDs: .directories([raw]),
        ])
        return TIFFBuilder(littleEndian: true, chunks: [samples]).file(main)
    }

    private static func warps(_ file: [UInt8]) throws -> [LensWarp] {
        try withRaw(file) { try $0.decode().facts.corrections.warps }
    }

    /// Ratio of a pixel's source distance from the middle to its own, at a knot.
    private static func factor(_ warp: LensWarp, knot: Int, channel: Int) -> Double {
        let place = warp.centre + SIMD2(0.6, 0.8) * (warp.distance * (Double(knot) + 0.5) / 15)
        let found = warp.motion(channel: channel).source(.init(repeating: place.x), .init(repeating: place.y))
        let (from, to) = (SIMD2(found.x[0], found.y[0]) - warp.centre, place - warp.centre)
        return (from * to).sum() / (to * to).sum()
    }

    @Test("Pixels come from the places of the knots, and red and blue from theirs in addition")
    func knots() throws {
        let warp = try #require(Self.warps(Self.file()).first)
        #expect(warp.planes.count == 3)
        for knot in 0..<16 {
            let all = 1 + Double(Self.distortion[knot]) / 16_384
            #expect(abs(Self.factor(warp, knot: knot, channel: 1) - all) < 2e-5)
            let red = all * (1 + Double(Self.red[knot]) / 2_097_152)
            #expect(abs(Self.factor(warp, knot: knot, channel: 0) - red) < 2e-5)
            let blue = all * (1 + Double(Self.blue[knot]) / 2_097_152)
            #expect(abs(Self.factor(warp, knot: knot, channel: 2) - blue) < 2e-5)
        }
    }

    @Test("The middle of the picture does not move, and its corner has distance 1")
    func place() throws {
        let image = try withRaw(Self.file()) { try $0.decode().facts }
        let warp = try #require(image.corrections.warps.first)
        let half = SIMD2(Double(image.crop.size.width - 1), Double(image.crop.size.height - 1)) / 2
        #expect(warp.centre == SIMD2(Double(image.crop.x), Double(image.crop.y)) + half)
        #expect(abs(warp.distance - (half * half).sum().squareRoot()) < 1e-9)
    }

    @Test("No pixel comes from outside the light: the picture is enlarged as necessary")
    func border() throws {
        let facts = try withRaw(Self.file(distortion: Self.distortion.map { $0 * 12 })) { try $0.decode().facts }
        #expect(facts.corrections.warps.count == 2)
        let lit = try #require(facts.corrections.area)
        for (x, y) in [(0, 0), (320, 0), (639, 0), (0, 240), (639, 240), (320, 479), (639, 479)] {
            for channel in 0..<3 {
                let found = facts.corrections.source(
                    .init(repeating: Double(x)), .init(repeating: Double(y)), channel: channel)
                #expect(found.x[0] >= Double(lit.x) - 0.5 && found.x[0] <= Double(lit.x + lit.size.width) - 0.5)
                #expect(found.y[0] >= Double(lit.y) - 0.5 && found.y[0] <= Double(lit.y + lit.size.height) - 0.5)
            }
        }
    }

    @Test("Each field applies without the other, and colours with equal motion are one plane")
    func parts() throws {
        let distortion = try #require(Self.warps(Self.file(colour: nil)).first)
        #expect(distortion.planes.count == 1)
        let colour = try #require(Self.warps(Self.file(distortion: nil)).first)
        #expect(colour.planes.count == 3)
        #expect(abs(Self.factor(colour, knot: 15, channel: 1) - 1) < 1e-12)
        #expect(try #require(Self.warps(Self.file(colour: [Int16](repeating: 0, count: 32))).first).planes.count == 1)
    }

    @Test("Nothing moves without camera data, with all knots 0, and in files of other makers")
    func nothing() throws {
        #expect(try Self.warps(Self.file(setting: 255)).isEmpty)
        let zeros = [Int16](repeating: 0, count: 16)
        #expect(try Self.warps(Self.file(distortion: zeros, colour: zeros + zeros)).isEmpty)
        #expect(try Self.warps(Self.file(make: "Minolta")).isEmpty)
        #expect(try Self.warps(Self.file(distortion: nil, colour: nil)).isEmpty)
    }

    @Test("An impossible number of knots gives no correction", arguments: [-1, 0, 1, 17, 32_767] as [Int16])
    func wrongCount(count: Int16) throws {
        #expect(try Self.warps(Self.file(colour: nil, count: count)).isEmpty)
    }

    @Test("Implausible knots move nothing")
    func wild() throws {
        #expect(try Self.warps(Self.file(distortion: [Int16](repeating: -32_768, count: 16), colour: nil)).isEmpty)
    }

    @Test("ExifTool reads the same numbers", .needs(.program("exiftool")))
    func exifTool() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID()).arw").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(Self.file()).write(to: URL(fileURLWithPath: path))
        func numbers(_ tag: String) throws -> [Int16] {
            try ExternalTool.run("exiftool", ["-s3", "-SubIFD:\(tag)", path]).split(whereSeparator: \.isWhitespace)
                .compactMap { Int16($0) }
        }
        #expect(try numbers("DistortionCorrParams") == [16] + Self.distortion)
        #expect(try numbers("ChromaticAberrationCorrParams") == [32] + Self.red + Self.blue)
    }
}
