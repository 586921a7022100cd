import Decode
import Develop
import ExternalTools
import Foundation
import PictureFormat
import Pixels
import Testing

/// Burnt skies and walls of lossy RAWs, whose saturation level is blurred by the encoder.
@Suite("Highlights of real lossy RAWs") struct RealHighlightTests {
    /// A part of each file with burnt areas, in sensor rows.
    static let files: [(name: String, rows: Range<Int>)] = [
        ("Fusion-GPFR7066.dng", 400..<880), ("Hero6-GOPR0024.dng", 96..<576),
    ]

    @Test(
        "Near-white is neutral as exposed, and burnt areas stay neutral two stops darker", .needs(.realFiles),
        arguments: files)
    func neutral(file: (name: String, rows: Range<Int>)) throws {
        let usual = try Self.developed(file.name, rows: file.rows, exposure: 0)
        let dark = try Self.developed(file.name, rows: file.rows, exposure: -2)
        let nearWhite = usual.luma.indices.filter { usual.luma[$0] >= 240 }
        #expect(nearWhite.count > 500)
        for (picture, limit) in [(usual, 2.5), (dark, 6.5)] {
            let cb = Self.mean(picture.cb, nearWhite)
            let cr = Self.mean(picture.cr, nearWhite)
            #expect(abs(cb) < limit && abs(cr) < limit, "\(file.name): Cb \(cb), Cr \(cr)")
            // In magenta both chroma signals are high.
            let pink = nearWhite.filter { min(picture.cb[$0], picture.cr[$0]) > 128 + 6 }
            #expect(pink.count * 200 <= nearWhite.count, "\(file.name): \(pink.count) of \(nearWhite.count) are pink")
        }
    }

    private static func mean(_ plane: [UInt8], _ pixels: [Int]) -> Double {
        pixels.reduce(0.0) { $0 + Double(plane[$1]) - 128 } / Double(pixels.count)
    }

    private struct Planes {
        var luma: [UInt8] = []
        var cb: [UInt8] = []
        var cr: [UInt8] = []
    }

    private static func developed(_ name: String, rows: Range<Int>, exposure: Float) throws -> Planes {
        let bytes = try RealFiles.contents(of: name)
        return try bytes.withUnsafeBytes { buffer in
            let decoded = try RawFile(bytes: buffer).decode()
            var facts = decoded.facts
            facts.orientation = .upright
            facts.crop = PixelRect(
                x: facts.crop.x, y: facts.crop.y + rows.lowerBound,
                size: PixelSize(width: facts.crop.size.width, height: rows.count))
            let plane = Plane<UInt16>(width: decoded.plane.width, height: decoded.plane.height)
            for y in 0..<plane.height { plane.row(y).update(from: decoded.plane.row(y), count: plane.width) }
            var context = DevelopContext()
            let settings = DevelopSettings(exposure: exposure, brightness: .asExposed, subsampling: .none)
            let developed = try context.develop(SensorImage(plane: plane, facts: facts), settings: settings)
            var planes = Planes()
            for y in 0..<developed.full.luma.height {
                planes.luma += UnsafeBufferPointer(start: developed.full.luma.row(y), count: developed.full.luma.width)
                planes.cb += UnsafeBufferPointer(start: developed.full.cb.row(y), count: developed.full.cb.width)
                planes.cr += UnsafeBufferPointer(start: developed.full.cr.row(y), count: developed.full.cr.width)
            }
            return planes
        }
    }
}
