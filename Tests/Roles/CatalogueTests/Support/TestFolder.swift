import Database
import Foundation
import Glibc
import Library
import Storage

/// A folder that goes with the test.
final class TestFolder {
    let path: String

    init() throws {
        // In memory where that can be: the tests wait for thousands of syncs.
        let memory = "/dev/shm"
        let parent = access(memory, W_OK) == 0 ? memory + "/" : NSTemporaryDirectory()
        path = parent + "rawmill-catalogue-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func root(_ name: String) throws -> Root { try Root(path: "\(path)/\(name)", creating: true) }

    var library: String { "\(path)/library" }

    /// Every file below a folder of the library, by path relative to the library.
    func files(below folder: String) -> [String] {
        let start = "\(library)/\(folder)"
        let all = FileManager.default.enumerator(atPath: start)?.allObjects.compactMap { $0 as? String } ?? []
        return all.filter { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(start)/\(name)", isDirectory: &isFolder)
            return !isFolder.boolValue
        }.map { "\(folder)/\($0)" }.sorted()
    }

    func inode(_ path: String) -> UInt64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(library)/\(path)")
        return attributes?[.systemFileNumber] as? UInt64
    }
}

/// A library's content, line by line.
func content(of folder: String) throws -> [String] {
    var lines: [String] = []
    try LibraryStore(folder: folder, mode: .read).eachContentLine { lines.append($0) }
    return lines
}

/// Writes a schema number as a later Rawmill would have.
func makeNewer(_ database: String) throws {
    try Connection(path: database).script("PRAGMA user_version = 1000")
}
