public import Digest
internal import Glibc

/// A file that is written and has no name yet, and the name that it will get. If it never gets it, it is removed.
///
/// The process that gives it its name can be another one than the one that wrote it: see ``BlankFile``.
public final class UnnamedFile: Sendable, Syncable {
    /// The name that it will get, relative to the root.
    public var path: [UInt8] { blank.path }
    /// SHA-256 of its bytes.
    public let digest: SHA256Value
    /// Its size.
    public let sizeBytes: UInt64
    let existing: ExistingFile
    let blank: BlankFile

    /// A file that was written, mostly by another process.
    ///
    /// - Parameters:
    ///   - blank: was made in this process, for the name that it is to get.
    ///   - existing: what to do if a file with other bytes has the name.
    ///   - digest: what its writer says of the bytes.
    ///   - sizeBytes: what its writer says of the size.
    /// - Throws: `changed` for a file of another size.
    public init(
        _ blank: BlankFile, existing: ExistingFile, digest: SHA256Value, sizeBytes: UInt64
    ) throws(StorageError) {
        let facts = try blank.pending.file.facts("write", blank.path)
        guard facts.sizeBytes == sizeBytes else { throw StorageError(.changed, "write", blank.path) }
        self.blank = blank
        self.existing = existing
        self.digest = digest
        self.sizeBytes = sizeBytes
    }

    /// The file, open for reading. It goes on to exist as long as that value does, also without a name.
    ///
    /// - Throws: `StorageError`.
    public func opened() throws(StorageError) -> OpenFile { try blank.opened() }

    func sync() throws(StorageError) { try blank.pending.file.sync(path) }
    func syncFileSystem() -> Bool { blank.pending.file.syncFileSystem() }
    var device: UInt64? { blank.pending.file.device }
}

extension UnnamedFile: Hashable {
    /// The same file, not one with the same bytes.
    public static func == (a: UnnamedFile, b: UnnamedFile) -> Bool { a === b }

    /// Hashes which file it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
