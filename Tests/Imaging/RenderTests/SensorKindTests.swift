import Develop
import Foundation
import ExternalTools
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// A kind of sensor and an orientation of the camera.
struct SensorKind: CustomTestStringConvertible, Sendable {
    let name: String
    let layout: SensorLayout
    var orientation = Orientation.upright
    /// Columns and rows of margin before and after the picture.
    var margin = (left: 0, top: 0, right: 0, bottom: 0)
    var aspect = Rational(1, 1)

    var testDescription: String { name }

    /// More than a tile of 512, in which dcraw_emu interpolates X-Trans.
    private var size: PixelSize {
        if case .xTrans = layout { return PixelSize(width: 625, height: 547) }
        return PixelSize(width: 331, height: 227)
    }

    static var all: [SensorKind] {
        let phases: [[CFAColour]] = [
            [.red, .green, .green, .blue], [.blue, .green, .green, .red], [.green, .red, .blue, .green],
            [.green, .blue, .red, .green],
        ]
        let xTrans = SensorLayout.xTrans(
            XTransPattern.colours)
        var kinds = phases.indices.map { i in
            SensorKind(
                name: "Bayer \(i)", layout: .bayer(phases[i]), margin: (left: i, top: 3 - i, right: 1, bottom: 2))
        }
        for orientation in Orientation.allCases {
            kinds.append(
                SensorKind(
                    name: "Bayer \(orientation)", layout: .bayer(phases[2]), orientation: orientation,
                    margin: (left: 1, top: 0, right: 0, bottom: 0)))
        }
        for i in 0..<3 {
            kinds.append(
                SensorKind(
                    name: "X-Trans \(i)", layout: xTrans, orientation: i == 1 ? .rotated90Clockwise : .upright,
                    margin: (left: 2 * i, top: i, right: 0, bottom: 0)))
        }
        for (name, layout) in [("monochrome", SensorLayout.monochrome), ("linear", .linearRGB)] {
            kinds.append(SensorKind(name: name, layout: layout, orientation: .rotated180))
        }
        for (name, aspect) in [("high", Rational(1, 2)), ("wide", Rational(2, 1))] {
            kinds.append(SensorKind(name: "\(name) pixels", layout: .bayer(phases[0]), aspect: aspect))
            kinds.append(
                SensorKind(
                    name: "\(name) pixels, turned", layout: .bayer(phases[3]), orientation: .rotated90CounterClockwise,
                    aspect: aspect))
        }
        return kinds
    }

    func file() -> [UInt8] {
        let whole = PixelSize(
            width: margin.left + size.width + margin.right, height: margin.top + size.height + margin.bottom)
        var picture = DNGPicture(
            plane: SampleCamera().expose(SampleScene(seed: 5), size: whole, layout: layout), layout: layout)
        picture.activeArea = PixelRect(x: margin.left, y: margin.top, size: size)
        picture.black = .init(rows: 1, columns: 1, values: [512])
        picture.pixelAspect = aspect
        if layout == .monochrome {
            // dcraw_emu puts lossless-JPEG tiles of one grey sample at wrong positions.
            picture.compression = .none(bits: 16)
            picture.chunking = .strips(rows: whole.height)
        }
        var writer = DNGWriter()
        writer.orientation = orientation
        return writer.file(picture)
    }
}

@Suite("Sensors of every kind")
struct SensorKindTests {
    /// Luma, Cb and Cr of 12 × 12 cells.
    private struct Cells {
        let size: PixelSize
        var planes = [[Double]](repeating: [Double](repeating: 0, count: 144), count: 3)

        /// - Parameter pixel: luma, Cb and Cr at a column and a row.
        init(_ size: PixelSize, pixel: (Int, Int) -> [Double]) {
            self.size = size
            var counts = [Double](repeating: 0, count: 144)
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let cell = y * 12 / size.height * 12 + x * 12 / size.width
                    counts[cell] += 1
                    for (plane, value) in pixel(x, y).enumerated() { planes[plane][cell] += value }
                }
            }
            for plane in 0..<3 { for cell in 0..<144 { planes[plane][cell] /= counts[cell] } }
        }
    }

    private static func ours(_ bytes: [UInt8]) throws -> Cells {
        try bytes.withUnsafeBytes { buffer in
            let image = try RawFile(bytes: buffer).decode(xTrans: .mosaic)
            var context = DevelopContext()
            let settings = DevelopSettings(brightness: .asExposed, subsampling: .none)
            let developed = try context.develop(image, settings: settings)
            #expect(!developed.facts.coloursAreGuessed)
            return Cells(developed.full.size) { x, y in
                [developed.full.luma.row(y)[x], developed.full.cb.row(y)[x], developed.full.cr.row(y)[x]].map(
                    Double.init)
            }
        }
    }

    private static func theirs(_ bytes: [UInt8], isGrey: Bool) throws -> Cells {
        let file = FileManager.default.temporaryDirectory.appending(path: "kind-\(UUID()).dng")
        let target = file.appendingPathExtension("ppm")
        defer { for path in [file, target] { try? FileManager.default.removeItem(at: path) } }
        try Data(bytes).write(to: file)
        // With -w it would amplify grey by red's factor.
        let white = isGrey ? ["-r", "1", "1", "1", "1"] : ["-w"]
        _ = try ExternalTool.run("dcraw_emu", white + ["-W", "-Z", target.path, file.path])
        let found = [UInt8](try Data(contentsOf: target))
        let header = String(decoding: found.prefix(40), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let (width, height) = (try #require(Int(header[1])), try #require(Int(header[2])))
        let samples = header[0] == "P5" ? 1 : 3
        let start = found.count - width * height * samples
        return Cells(PixelSize(width: width, height: height)) { x, y in
            let offset = start + (y * width + x) * samples
            let (r, g, b) = (
                Double(found[offset]), Double(found[offset + samples / 2]), Double(found[offset + samples - 1])
            )
            return [
                0.299 * r + 0.587 * g + 0.114 * b, -0.169 * r - 0.331 * g + 0.5 * b, 0.5 * r - 0.419 * g - 0.081 * b,
            ]
        }
    }

    private static func correlation(_ a: [Double], _ b: [Double]) -> Double {
        let (meanA, meanB) = (a.reduce(0, +) / Double(a.count), b.reduce(0, +) / Double(b.count))
        var (ab, aa, bb) = (0.0, 0.0, 0.0)
        for (x, y) in zip(a, b) {
            ab += (x - meanA) * (y - meanB)
            aa += (x - meanA) * (x - meanA)
            bb += (y - meanB) * (y - meanB)
        }
        return ab / (aa * bb).squareRoot()
    }

    @Test(
        "The picture has dcraw_emu's size, with the same objects and colours in the same positions",
        .needs(.program("dcraw_emu")),
        arguments: SensorKind.all)
    func likeDcraw(kind: SensorKind) throws {
        let bytes = kind.file()
        let ours = try Self.ours(bytes)
        let theirs = try Self.theirs(bytes, isGrey: kind.layout == .monochrome)
        // For non-square pixels, dcraw_emu rounds differently.
        #expect(abs(ours.size.width - theirs.size.width) <= 1 && abs(ours.size.height - theirs.size.height) <= 1)
        #expect(Self.correlation(ours.planes[0], theirs.planes[0]) > 0.97)
        for plane in 1...2 where kind.layout != .monochrome {
            let found = Self.correlation(ours.planes[plane], theirs.planes[plane])
            #expect(found > 0.95, "\(["luma", "Cb", "Cr"][plane]): \(found)")
        }
        if kind.layout == .monochrome {
            for plane in 1...2 { #expect(ours.planes[plane].allSatisfy { $0 == 128 }) }
        }
    }
}
