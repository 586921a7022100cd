import Database
import Foundation

/// A folder for databases, removed with the object.
final class TemporaryDatabase: Sendable {
    let folder: String
    var path: String { folder + "/test.sqlite" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/rawmill-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func open(_ mode: ConnectionMode = .readWrite) throws -> Connection { try Connection(path: path, mode: mode) }

    func write(_ bytes: some Sequence<UInt8>) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
}

/// The kind of the error that `body` throws; nil for none or another error.
func refusal(_ body: () throws -> Void) -> DatabaseError.Kind? {
    do {
        try body()
        return nil
    } catch {
        return (error as? DatabaseError)?.kind
    }
}
