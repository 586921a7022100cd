internal import CFiles
internal import Glibc

/// An append-only file under its final name, closed with the value. Not thread-safe.
public final class GrowingFile {
    private let file: Descriptor
    private let path: [UInt8]

    /// Opens a file below the root for appending; creates it if missing.
    public init(_ path: [UInt8], in root: Root) throws(StorageError) {
        file = try root.open(path, "write", flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o666)
        self.path = path
    }

    /// Appends all bytes. Throws `StorageError`; some bytes may have been written.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) { unsafe try file.write(bytes, path) }

    /// Length in bytes.
    public func size() throws(StorageError) -> UInt64 { try file.facts("look at", path).sizeBytes }

    /// Waits until all appended bytes survive a power failure.
    public func sync() throws(StorageError) { try file.sync(path) }
}
