import Digest
import Jobs
import Serving
import Storage

/// An album as a folder, with complete and durable files.
final class AlbumFolder: AlbumTarget {
    private let root: Root
    private let path: [UInt8]
    private(set) var sizeBytes: UInt64 = 0

    init(_ path: [UInt8], in root: Root) {
        self.root = root
        self.path = path
    }

    func add(_ bytes: [UInt8], as name: String) throws {
        _ = try root.publish(bytes, at: path(of: name))
        sizeBytes += UInt64(bytes.count)
    }

    func add(_ file: StoredFile, as name: String, _ digest: SHA256Value) throws {
        let path = path(of: name)
        _ = try root.publishCopy(of: file.path.bytes, in: file.root, digest: digest, at: path)
        sizeBytes += try root.facts(of: path).sizeBytes
    }

    private func path(of name: String) -> [UInt8] { path + Array("/\(name)".utf8) }
}
