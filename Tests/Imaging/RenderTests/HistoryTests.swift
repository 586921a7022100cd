import ExternalTools
import Foundation
import Jobs
import Samples
import Testing

/// The bytes of a photo depend only on its RAW and recipe: not on earlier renders or refusals in its process, and not
/// on old memory.
@Suite("Earlier jobs", .serialized) struct HistoryTests {
    /// Small files of every kind that one process meets, valid and invalid.
    private static func files() throws -> [String: [UInt8]] {
        let dng = RenditionTests.dng()
        let bright = try CameraPreviewTests.preview("neutral", stops: 0.7)
        let dark = try CameraPreviewTests.preview("neutral", stops: -0.7)
        var files = [
            "good.dng": dng,
            "bright.dng": CameraPreviewTests.embed(bright, in: dng),
            "dark.dng": CameraPreviewTests.embed(dark, in: dng),
            "cut-preview.dng": CameraPreviewTests.embed(Array(bright.prefix(bright.count / 3)), in: dng),
            "half-header.dng": CameraPreviewTests.embed(try DamagedJPEG.withDamagedScanHeader(bright), in: dng),
            "no-tables.dng": CameraPreviewTests.embed(try DamagedJPEG.withoutHuffmanTables(dark), in: dng),
            "cut.dng": Array(dng.prefix(dng.count / 2)),
            "no-raw.dng": Array("This is no RAW.".utf8),
        ]
        for folder in ["hostile", "raw"] {
            let folder = Checkout.shared.appending(path: folder)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for name in names where !name.hasSuffix(".md") {
                let file = folder.appending(path: name)
                guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
                let bytes = [UInt8](try Data(contentsOf: file))
                // Each file is rendered beside each other one: larger ones would only take time.
                if bytes.count < (Requirement.isNight ? 1 << 20 : 1 << 16) { files[name] = bytes }
            }
        }
        return files
    }

    @Test("Each file gives the same bytes alone, and before and after each other file, with any contents of the heap")
    func pairs() throws {
        let files = try Self.files()
        let folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-history-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["archive", "library"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        for (name, bytes) in files { try Data(bytes).write(to: folder.appending(path: "archive/\(name)")) }
        let names = files.keys.sorted()
        var alone: [String: String] = [:]
        for name in names { alone.merge(try RenderProbe.outcomes(folder, [name], heapFill: 0x5a)[0]) { $1 } }
        #expect(alone.count == names.count)
        #expect(Set(["good.dng", "bright.dng", "dark.dng"].map { alone[$0] }).count == 3)
        // Each name before and after each other one.
        let sequence = names.indices.flatMap { first in
            names[(first + 1)...].flatMap { [names[first], $0] } + [names[first]]
        }
        for heapFill in [0, 0xa5] {
            let outcomes = try RenderProbe.outcomes(folder, sequence, heapFill: heapFill)
            #expect(outcomes.count == sequence.count)
            for (index, outcome) in outcomes.enumerated() {
                let before = index > 0 ? sequence[index - 1] : "nothing"
                for (name, bytes) in outcome { #expect(bytes == alone[name], "\(name) after \(before)") }
            }
        }
    }
}

/// JPEGs that change the state of a reused decoder.
enum DamagedJPEG {
    /// TurboJPEG stops in the middle of the header.
    static func withDamagedScanHeader(_ jpeg: [UInt8]) throws -> [UInt8] {
        var bytes = jpeg
        let scan = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        // The number of components.
        bytes[scan + 4] = 9
        return bytes
    }

    /// A decoder uses the tables of the previous JPEG.
    static func withoutHuffmanTables(_ jpeg: [UInt8]) throws -> [UInt8] {
        var bytes = jpeg
        while let table = bytes.indices.dropLast().first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC4 }) {
            bytes.removeSubrange(table..<table + 2 + Int(bytes[table + 2]) << 8 + Int(bytes[table + 3]))
        }
        return bytes
    }
}

/// The program `render-probe`.
enum RenderProbe {
    /// Renders files of `FOLDER/archive` in a separate process.
    ///
    /// - Parameter heapFill: value with which glibc fills fresh and freed memory; 0 for none.
    /// - Returns: each file's name and result.
    static func outcomes(_ folder: URL, _ names: [String], heapFill: Int) throws -> [[String: String]] {
        let process = Process()
        let folders = [Bundle.main.bundleURL] + Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        let programs = folders.map { $0.appending(path: "render-probe") }
        let program: URL = try #require(programs.first { FileManager.default.isExecutableFile(atPath: $0.path) })
        process.executableURL = program
        process.arguments = [folder.path] + names
        process.environment = ["SWIFT_BACKTRACE": "enable=no", "MALLOC_PERTURB_": "\(heapFill)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text.split(separator: "\n").map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return [String(parts[0]): String(parts.last ?? "")]
        }
    }
}
