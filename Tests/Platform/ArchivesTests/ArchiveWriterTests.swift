import Archives
import Digest
import ExternalTools
import Foundation
import Testing

/// Archives, read by other programs.
struct ArchiveWriterTests {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("Alben/Zürich ’24/a b.jpg", Array("photo".utf8)), ("Alben/empty", []),
        (
            "Alben/" + String(repeating: "long/", count: 60) + "large.raw",
            (0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        ),
    ]

    private func archive(_ format: ArchiveFormat) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let writer = try ArchiveWriter(format) { bytes += $0 }
        for file in Self.files {
            try writer.begin(file.name, sizeBytes: UInt64(file.bytes.count), modifiedSeconds: 1_714_550_400)
            for start in stride(from: 0, to: file.bytes.count, by: 70_000) {
                try writer.append(Array(file.bytes[start..<min(start + 70_000, file.bytes.count)]))
            }
        }
        try writer.finish()
        return bytes
    }

    private static let judge = """
        import hashlib, sys, tarfile, zipfile
        path = sys.argv[1]
        if path.endswith(".zip"):
            with zipfile.ZipFile(path) as archive:
                assert archive.testzip() is None
                for entry in archive.infolist():
                    print(entry.filename, entry.file_size, hashlib.sha256(archive.read(entry)).hexdigest())
        else:
            with tarfile.open(path) as archive:
                for entry in archive:
                    print(entry.name, entry.size, hashlib.sha256(archive.extractfile(entry).read()).hexdigest())
        """

    @Test(
        "Python reads names and bytes of both kinds of archives", .needs(.program("python3")),
        arguments: ArchiveFormat.allCases)
    func python(format: ArchiveFormat) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a.\(format.rawValue)")
        try Data(try archive(format)).write(to: file)
        let script = folder.appending(path: "judge.py")
        try Data(Self.judge.utf8).write(to: script)
        let output = try ExternalTool.run("python3", ["-X", "utf8", script.path, file.path])
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.count == Self.files.count, "\(output)")
        for (line, file) in zip(lines, Self.files) {
            #expect(line == "\(file.name) \(file.bytes.count) \(SHA256Value(of: file.bytes))")
        }
    }

    @Test("The same files make the same archive", arguments: ArchiveFormat.allCases)
    func repeats(format: ArchiveFormat) throws { #expect(try archive(format) == archive(format)) }

    private struct Full: Error {}

    @Test("An error of the sink ends the archive", arguments: ArchiveFormat.allCases)
    func full(format: ArchiveFormat) throws {
        var taken = 0
        #expect(throws: Full.self) {
            let writer = try ArchiveWriter(format) { bytes in
                taken += bytes.count
                if taken > 100_000 { throw Full() }
            }
            try writer.begin("a", sizeBytes: 1_000_000, modifiedSeconds: 0)
            try writer.append([UInt8](repeating: 7, count: 1_000_000))
            try writer.finish()
        }
    }

    @Test("More bytes than a file has are refused")
    func tooLong() throws {
        #expect(throws: (any Error).self) {
            let writer = try ArchiveWriter(.tar) { _ in }
            try writer.begin("a", sizeBytes: 3, modifiedSeconds: 0)
            try writer.append([UInt8](repeating: 7, count: 5))
        }
    }
}
