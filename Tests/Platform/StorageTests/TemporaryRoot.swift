import Foundation
import Glibc
import Storage

/// A root in a temporary folder, removed with the object.
final class TemporaryRoot: Sendable {
    let path: String
    let root: Root

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/rawmill-storage-\(UUID().uuidString)"
        root = try Root(path: path, creating: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    func text(of name: String) -> String? { try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

    func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)").sorted()
    }
}

extension [UInt8] {
    init(_ text: String) { self = Array(text.utf8) }
}

/// The kind of the error that `body` throws; nil for none.
func kind(_ body: () throws -> Void) -> StorageError.Kind? {
    do { try body() } catch let error as StorageError { return error.kind } catch { return nil }
    return nil
}

extension Root {
    /// Writes a file that gets its name later.
    func write(_ bytes: [UInt8], at path: String, existing: ExistingFile = .keep) throws -> UnnamedFile {
        let blank = try BlankFile(for: [UInt8](path.utf8), in: self)
        let digest = try bytes.withUnsafeBytes { try blank.fill(with: $0) }
        return try UnnamedFile(blank, existing: existing, digest: digest, sizeBytes: UInt64(bytes.count))
    }
}
