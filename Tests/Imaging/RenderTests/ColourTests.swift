import Decode
import Develop
import Foundation
import ExternalTools
import PictureFormat
import Pixels
import Testing

@Suite("Colour of the real ColorChecker") struct ColourTests {
    static let file = "canon-kiss-x4-colorchecker.dng"

    @Test("ΔE2000 has the values published by the formula's authors, for pairs that take each of its branches")
    func formula() {
        let pairs: [(SIMD3<Double>, SIMD3<Double>, Double)] = [
            ([50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425), ([50, 2.5, 0], [73, 25, -18], 27.1492),
            ([50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195),
            ([2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082),
        ]
        for (a, b, expected) in pairs { #expect(abs(ColourChecker.deltaE2000(a, b) - expected) < 1e-4) }
    }

    @Test(
        "Colours are no further from the chart than dcraw_emu's, as shot and balanced on a grey patch",
        .needs(.realFiles), .needs(.program("dcraw_emu")))
    func chart() throws {
        let file = RealFiles.url(of: Self.file)
        let camera = try Self.dcraw(file, ["-r", "1", "1", "1", "1", "-o", "0"])
        let grey = camera[ColourChecker.greyPatch]
        let balanced = [grey.y / grey.x, 1, grey.y / grey.z]
        let options = ["-r"] + [balanced[0], 1, balanced[2], 1].map { String(format: "%f", $0) } + ["-o", "5"]
        let asShot = (
            ours: ColourChecker.distance(try Self.ours(file)),
            theirs: ColourChecker.distance(try Self.dcraw(file, ["-w", "-o", "5"]))
        )
        let onGrey = (
            ours: ColourChecker.distance(try Self.ours(file, balance: balanced.map(Float.init))),
            theirs: ColourChecker.distance(try Self.dcraw(file, options))
        )
        #expect(asShot.ours <= asShot.theirs, "mean ΔE2000 as shot: \(asShot)")
        #expect(onGrey.ours <= onGrey.theirs, "mean ΔE2000 balanced on grey: \(onGrey)")
    }

    /// XYZ of the patches in Rawmill's scene light.
    private static func ours(_ file: URL, balance: [Float]? = nil) throws -> [SIMD3<Double>] {
        let bytes = try Data(contentsOf: file)
        return try bytes.withUnsafeBytes { buffer in
            let decoded = try RawFile(bytes: buffer).decode()
            var facts = decoded.facts
            facts.whiteBalance = balance ?? facts.whiteBalance
            let plane = Plane<UInt16>(width: decoded.plane.width, height: decoded.plane.height)
            for y in 0..<plane.height { plane.row(y).update(from: decoded.plane.row(y), count: plane.width) }
            let recorder = LightRecorder(facts.crop.size)
            var context = DevelopContext()
            _ = try context.develop(
                SensorImage(plane: plane, facts: facts), settings: DevelopSettings(brightness: .asExposed),
                look: recorder
            ).facts
            return ColourChecker.means { x, y in
                let c = recorder.light[y * facts.crop.size.width + x]
                let (r, g, b) = (Double(c.x), Double(c.y), Double(c.z))
                // ITU-R BT.2020-2.
                return SIMD3(
                    0.636958 * r + 0.144617 * g + 0.168881 * b, 0.262700 * r + 0.677998 * g + 0.059302 * b,
                    0.028073 * g + 1.060985 * b)
            }
        }
    }

    /// XYZ of the patches in dcraw_emu's picture.
    private static func dcraw(_ file: URL, _ options: [String]) throws -> [SIMD3<Double>] {
        let target = FileManager.default.temporaryDirectory.appending(path: "checker-\(UUID()).ppm")
        defer { try? FileManager.default.removeItem(at: target) }
        _ = try ExternalTool.run("dcraw_emu", options + ["-4", "-Z", target.path, file.path])
        let bytes = [UInt8](try Data(contentsOf: target))
        let header = String(decoding: bytes.prefix(40), as: UTF8.self).split(whereSeparator: \.isWhitespace)
        let width = try #require(Int(header[1]))
        let start = bytes.count - width * (try #require(Int(header[2]))) * 6
        return ColourChecker.means { x, y in
            func sample(_ channel: Int) -> Double {
                let offset = start + ((y * width + x) * 3 + channel) * 2
                return Double(Int(bytes[offset]) << 8 | Int(bytes[offset + 1])) / 65_535
            }
            return SIMD3(sample(0), sample(1), sample(2))
        }
    }

    /// Records scene light.
    ///
    /// `@unchecked Sendable`: developed with one thread.
    private final class LightRecorder: RowStage, @unchecked Sendable {
        let position = StagePosition.sceneLinear
        private(set) var light: [SIMD3<Float>]
        private let width: Int

        init(_ size: PixelSize) {
            width = size.width
            light = Array(repeating: .zero, count: size.pixelCount)
        }

        func process(_ row: PixelRow) {
            for i in 0..<row.count where (0..<width).contains(row.column(i)) {
                light[row.y * width + row.column(i)] = SIMD3(row.red[i], row.green[i], row.blue[i])
            }
        }
    }
}
