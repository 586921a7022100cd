internal import CFiles
internal import Glibc

/// A file that grows by what is appended to it, under its final name. It is closed with the value.
///
/// Used by one thread at a time.
public final class GrowingFile {
    private let file: Descriptor
    private let path: [UInt8]

    /// Opens the file beneath the root, for appending; makes it where there is none.
    ///
    /// - Throws: `StorageError`.
    public init(_ path: [UInt8], in root: Root) throws(StorageError) {
        file = try root.open(path, "write", flags: O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, mode: 0o666)
        self.path = path
    }

    /// Appends all bytes.
    ///
    /// - Throws: `StorageError`; a part of them may have been written.
    public func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) { try file.write(bytes, path) }

    /// The file's length in bytes.
    ///
    /// - Throws: `StorageError`.
    public func size() throws(StorageError) -> UInt64 { try file.facts("look at", path).sizeBytes }

    /// Returns when all that was appended survives a power cut.
    ///
    /// - Throws: `StorageError`.
    public func sync() throws(StorageError) { try file.sync(path) }
}
