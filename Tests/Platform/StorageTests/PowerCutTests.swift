import ExternalTools
import Foundation
import Glibc
import Storage
import Testing

/// A file system in a file whose power can be cut: its disk is read as a machine would find it at its next start. A
/// test that uses it has the trait `.needs(.mounting)`.
final class LoopDisk {
    let path: String
    private let image: String

    init() throws {
        let base = FileManager.default.temporaryDirectory.path + "/rawmill-power-\(UUID().uuidString)"
        (path, image) = (base + "/disk", base + "/image")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let file = open(image, O_RDWR | O_CREAT, 0o600)
        try #require(ftruncate(file, 64 << 20) == 0)
        close(file)
        _ = try ExternalTool.run("mkfs.ext4", ["-q", "-F", image])
        _ = try ExternalTool.run("mount", ["-o", "loop,commit=600", image, path])
    }

    /// The files of the file system, by path, after a power cut at this moment.
    func contentsAfterPowerCut() throws -> [String: Data] {
        let (copy, folder) = (image + ".copy", path + ".copy")
        _ = try ExternalTool.run("cp", [image, copy])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = try ExternalTool.run("mount", ["-o", "loop", copy, folder])
        defer {
            umount2(folder, Int32(MNT_DETACH))
            unlink(copy)
        }
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            if let data = FileManager.default.contents(atPath: "\(folder)/\(name)") { files[name] = data }
        }
        return files
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }
}

@Suite(.needs(.mounting), .needs(.program("mkfs.ext4")), .serialized) struct PowerCutTests {
    private static func name(_ index: Int) -> String { "objects/\(index % 5)/\(index)/photo.jpg" }

    private static func bytes(_ index: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(truncatingIfNeeded: index + 1), count: 3000 * (index % 7 + 1))
    }

    private func unnamed(_ count: Int, in root: Root) throws -> [UnnamedFile] {
        try (0..<count).map { try root.write(Self.bytes($0), at: Self.name($0)) }
    }

    @Test("Files that were published together are complete after a power cut, few or many", arguments: [1, 3, 60])
    func published(count: Int) throws {
        let disk = try LoopDisk()
        let root = try Root(path: disk.path)
        for result in try root.publish(try unnamed(count, in: root)) { #expect(try result.get().outcome == .created) }
        let found = try disk.contentsAfterPowerCut()
        for index in 0..<count { #expect(found[Self.name(index)] == Data(Self.bytes(index)), "\(Self.name(index))") }
    }

    @Test("The test would notice files that are not durable")
    func control() throws {
        let disk = try LoopDisk()
        let root = try Root(path: disk.path)
        for index in 0..<20 {
            _ = try root.publish(Self.bytes(index), at: [UInt8]("\(index).jpg"), isDurable: false)
        }
        let found = try disk.contentsAfterPowerCut()
        #expect((0..<20).contains { found["\($0).jpg"] != Data(Self.bytes($0)) })
    }

    @Test("Copies in users' folders are complete after a power cut before they have their names", arguments: [2, 40])
    func copies(count: Int) throws {
        let disk = try LoopDisk()
        let root = try Root(path: disk.path)
        _ = try root.publish(try unnamed(count, in: root))
        let folder = try root.openFolder([UInt8]("photos"))
        let copies = try (0..<count).map { index in
            try StagedFile(
                copyOf: [UInt8](Self.name(index)), in: root, for: folder, at: [UInt8]("photos/\(index).jpg"))
        }
        try StagedFile.sync(copies)
        for (index, copy) in copies.enumerated() {
            let placement = try root.place(
                copy, at: [UInt8]("photos/\(index).jpg"), in: folder, replacing: { _ in false })
            #expect(placement != .occupied)
        }
        try root.syncFolders([[UInt8]("photos")])
        let found = try disk.contentsAfterPowerCut()
        for index in 0..<count { #expect(found["photos/\(index).jpg"] == Data(Self.bytes(index))) }
    }
}
