import ExternalTools
import Foundation
import PictureFormat
import Pixels
import Testing

@testable import Decode
@testable import Samples

/// `Tests/References/corrections.py` reads the same files independently, and computes places all over the picture by
/// the specification's formulas.
@Suite("Opcodes compared with a reference", .needs(.program("python3"))) struct OpcodeJudgeTests {
    private static let judge = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../References/corrections.py").standardizedFileURL

    /// Compares decoding with the reference. Returns the number of compared factors and places.
    private func compare(_ bytes: [UInt8]) throws -> (gains: Int, warps: Int) {
        let file = FileManager.default.temporaryDirectory.appending(path: "rawmill-opcodes-\(UUID()).dng")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        let lines = try ExternalTool.run("python3", [Self.judge.path, file.path]).split(separator: "\n")
        let corrections = try withRaw(bytes) { try $0.decode().facts.corrections }
        #expect(corrections.complaint == nil)
        var (gains, warps) = (0, 0)
        for line in lines {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Double($0) }
            try #require(numbers.count == (words[0] == "gain" ? 4 : 5), "\(line)")
            let (x, y, channel) = (numbers[0], numbers[1], Int(numbers[2]))
            if words[0] == "gain" {
                let found = corrections.gains.reduce(1) { $0 * $1.factor(x: Int(x), y: Int(y), channel: channel) }
                #expect(abs(Double(found) - numbers[3]) < 2e-5, "\(line): \(found)")
                gains += numbers[3] == 1 ? 0 : 1
            } else {
                let found = corrections.source(.init(repeating: x), .init(repeating: y), channel: channel)
                #expect(abs(found.x[0] - numbers[3]) < 1e-3 && abs(found.y[0] - numbers[4]) < 1e-3, "\(line): \(found)")
                warps += abs(numbers[3] - x) + abs(numbers[4] - y) > 0.01 ? 1 : 0
            }
        }
        return (gains, warps)
    }

    @Test("Gain maps, vignetting and a warp of three planes in one file follow the formulas")
    func made() throws {
        let map = OpcodeBytes.map(
            points: [3, 4], spacing: [0.45, 0.3], origin: [0.05, 0.1],
            [2, 1.5, 1.25, 3, 1, 1.125, 1, 2, 4, 1.5, 1.75, 2.5])
        let second = OpcodeBytes()
            .adding(9, OpcodeBytes.area(pitches: [2, 2]) + map)
            .adding(9, OpcodeBytes.area([1, 0, 48, 64], pitches: [2, 1]) + map)
        let warp: [Double] =
            [1.01, -0.02, 0.005, 0.001, 0.003, -0.002] + [1, -0.02, 0.004, 0, 0.003, -0.002]
            + [0.99, -0.018, 0.004, 0, 0, 0] + [0.48, 0.53]
        let third = OpcodeBytes()
            .adding(3, OpcodeBytes.doubles([0.5, -0.25, 0.125, 0.3, -0.1, 0.45, 0.6]))
            .adding(9, OpcodeBytes.area(plane: 1, planes: 2) + map)
            .adding(1, OpcodeBytes.integers([3]) + OpcodeBytes.doubles(warp))
        let plane = Plane<UInt16>(width: 64, height: 48)
        for y in 0..<48 { for x in 0..<64 { plane.row(y)[x] = UInt16(600 + x * 7 + y * 30) } }
        var picture = DNGPicture(plane: plane, layout: .bayer(DNGVariants.phases[0]))
        picture.opcodes = [2: second.list, 3: third.list]
        let (gains, warps) = try compare(DNGWriter().file(picture))
        #expect(gains > 150 && warps > 150, "\(gains) \(warps)")
    }

    @Test("Opcodes in files of two cameras follow the formulas", .needs(.realFiles))
    func real() throws {
        #expect(try compare(RealFiles.contents(of: "Hero6-GOPR0024.dng")).gains > 150)
        #expect(try compare(RealFiles.contents(of: "Fusion-GPFR7066.dng")).warps > 50)
    }
}
