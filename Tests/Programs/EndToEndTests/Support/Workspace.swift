import Foundation
import Testing

/// A folder for one test, with sources and libraries, removed at its end.
final class Workspace {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        // A test may have removed the permissions.
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: library.path)
        try? FileManager.default.removeItem(at: folder)
    }

    var raw: URL { folder.appending(path: "raw") }
    var library: URL { folder.appending(path: "film") }
    var photos: URL { library.appending(path: "photos") }

    /// Small generated RAWs; the same numbers give the same files.
    func makeSamples(_ count: Int, first: Int = 1, megapixels: Double = 0.4, in folder: URL? = nil) throws {
        let out = folder ?? raw
        let made = try Rawmill.run(
            "sample", "--out", out.path, "--count", "\(count)", "--first", "\(first)", "--megapixels", "\(megapixels)")
        try #require(made.status == 0, "\(made.errors)")
    }

    @discardableResult
    func convert(_ options: String...) throws -> Rawmill.Ended { try convert(options) }

    @discardableResult
    func convert(_ options: [String]) throws -> Rawmill.Ended {
        try Rawmill.run(["convert", raw.path, "--library", library.path] + options)
    }

    /// Every file below a folder, by relative path.
    func files(below folder: URL) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { name in
            var isFolder: ObjCBool = false
            let there = FileManager.default.fileExists(
                atPath: folder.appending(path: name).path, isDirectory: &isFolder)
            return there && !isFolder.boolValue
        }.sorted()
    }

    var shownPhotos: [String] { files(below: photos) }

    /// Temporary files left by a writer.
    var temporaryFiles: [String] {
        get throws { files(below: library).filter { $0.contains(".rawmill-") || $0.hasSuffix(".tmp") } }
    }

    /// Path, size, inode and change time of everything below the folder. Equality means that nothing was touched.
    func fingerprint(of folder: URL) throws -> [String] {
        try (files(below: folder) + [""]).map { name in
            var facts = stat()
            let path = folder.appending(path: name).path
            guard lstat(path, &facts) == 0 else { throw POSIXError(.ENOENT) }
            return "\(name) \(facts.st_size) \(facts.st_ino) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
        }
    }
}
