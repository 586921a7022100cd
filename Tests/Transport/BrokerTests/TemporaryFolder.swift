import Foundation

/// A folder that is removed when the object is released.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/rawmill-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Copies the database's file and its write-ahead log.
    func copyFiles(named name: String, to copy: String) throws {
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: "\(path)/\(name)\(suffix)") {
            try FileManager.default.copyItem(atPath: "\(path)/\(name)\(suffix)", toPath: "\(path)/\(copy)\(suffix)")
        }
    }
}
