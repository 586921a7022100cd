import Foundation
import ExternalTools
import PictureFormat
import Pixels
import Samples
import Testing

/// What became of each damaged version of a file, decoded in a process of its own.
struct DamageReport {
    var outcomes: [UInt64: String] = [:]
    var crashes: [UInt64] = []

    /// Starts the probe anew behind each seed that brings it down.
    init(of file: URL, seeds: Range<UInt64>) throws {
        var next = seeds.lowerBound
        while next < seeds.upperBound {
            let lines = try Self.probe(file, from: next, count: seeds.upperBound - next)
            for line in lines where line.count == 3 { outcomes[line.seed] = line[2] }
            guard let last = lines.last else { throw ProbeFailure() }
            if last.count < 3 { crashes.append(last.seed) }
            next = last.seed + 1
        }
    }

    private struct ProbeFailure: Error {}

    private static func probe(_ file: URL, from seed: UInt64, count: UInt64) throws -> [[String]] {
        let process = Process()
        let probe: URL = try #require(Bundle.probe)
        process.executableURL = probe
        process.arguments = [file.path, String(seed), String(count)]
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    }
}

extension [String] {
    fileprivate var seed: UInt64 { first.flatMap { UInt64($0) } ?? .max - 1 }
}

extension Bundle {
    /// The probe lies beside the tests' own program.
    fileprivate static var probe: URL? {
        let folders = [Bundle.main.bundleURL] + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        return folders.map { $0.appending(path: "decode-probe") }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}

@Suite struct DamageTests {
    @Test("of 700 damaged samples none crashes, and none that decodes has other samples than the whole one")
    func damagedSamples() throws {
        try withFile(Sample.dng(index: 5, size: PixelSize(width: 300, height: 200))) { file in
            let report = try DamageReport(of: file, seeds: 0..<700)
            #expect(report.crashes == [])
            #expect(report.outcomes.count == 700)
            #expect(report.outcomes.filter { $0.value == "DIFFERENT" }.isEmpty, "seeds of Samples.DamagedFiles")
            let failed = report.outcomes.values.filter { $0 == "corrupt" }
            #expect(failed.count > 500)
        }
    }

    @Test(
        "damaged files of other formats are classified, or bring down their own process alone",
        arguments: ["canon-eos-d30.crw", "kodak-dc50.kdc", "canon-kiss-x4-colorchecker.dng"])
    func damagedRealFiles(name: String) throws {
        guard let bytes = try RealFiles.bytes(of: name) else { return }
        try withFile(bytes) { file in
            let report = try DamageReport(of: file, seeds: 0..<70)
            #expect(report.outcomes.count + report.crashes.count == 70)
            #expect(report.crashes.count <= 7, "\(report.crashes)")
        }
    }

    @Test("damaged CR2s are classified; none brings down its process")
    func damagedCR2() throws {
        let cr2 = CR2File(size: PixelSize(width: 192, height: 128), components: 4, slices: [2, 60, 72])
        let plane = cr2.plane()
        try withFile(cr2.bytes(plane)) { file in
            let report = try DamageReport(of: file, seeds: 0..<300)
            #expect(report.crashes == [])
            #expect(report.outcomes.count == 300)
            // A CR2 has no digest: what decodes need not be what was written.
            #expect(report.outcomes.values.filter { $0 == "corrupt" }.count > 150)
        }
    }

    private func withFile(_ bytes: [UInt8], _ body: (URL) throws -> Void) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rawmill-damage-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try body(file)
    }
}
