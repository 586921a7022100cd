public import Digest
internal import Glibc

/// A written file without a name, and the name that it will get. Removed unless it gets it.
///
/// The process that names it may differ from the one that wrote it, see ``BlankFile``.
public final class UnnamedFile: Sendable, Syncable {
    /// Future path relative to the root.
    public var path: [UInt8] { blank.path }
    /// SHA-256 of its bytes.
    public let digest: SHA256Value
    /// Size in bytes.
    public let sizeBytes: UInt64
    let existing: ExistingFile
    let blank: BlankFile

    /// A file that was written, usually by another process.
    ///
    /// - Parameters:
    ///   - blank: created in this process, for the final name.
    ///   - existing: what to do if the name belongs to a file with other bytes.
    ///   - digest: as reported by the writer.
    ///   - sizeBytes: as reported by the writer.
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

    /// Opens the file for reading. The result keeps the file alive, even without a name.
    public func opened() throws(StorageError) -> OpenFile { try blank.opened() }

    func sync() throws(StorageError) { try blank.pending.file.sync(path) }
    func syncFileSystem() -> Bool { blank.pending.file.syncFileSystem() }
    var device: UInt64? { blank.pending.file.device }
}

extension UnnamedFile: Hashable {
    /// Identity, not equality of bytes.
    public static func == (a: UnnamedFile, b: UnnamedFile) -> Bool { a === b }

    /// By identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
