internal import Database
public import Digest
public import Jobs

/// A source that was moved into the library and whose old name has to go.
public struct SourceRemoval: Hashable, Sendable {
    /// As it was planned. A file that looks otherwise now is another one, and stays.
    public let source: FileStamp
    public let asset: SHA256Value

    public init(source: FileStamp, asset: SHA256Value) {
        self.source = source
        self.asset = asset
    }
}

/// A source is removed only after the commit that says so: the RAW's verified copy, its row and the note that the
/// source has to go are durable then. A kill before the removal leaves the note.
extension LibraryStore {
    /// Notes a removal, within the transaction that took the RAW's copy into the library.
    public func note(_ removal: SourceRemoval) throws {
        let stamp = removal.source
        try connection.run(
            "INSERT OR REPLACE INTO removals VALUES (?, ?, ?, ?, ?)", stamp.file.root.text, stamp.file.path.bytes,
            stamp.sizeBytes, stamp.modifiedNanoseconds, removal.asset.bytes)
    }

    /// Those still to do, in the order of their paths.
    public func removals() throws -> [SourceRemoval] {
        try connection.all("SELECT root, path, bytes, modified, asset FROM removals ORDER BY root, path") { row in
            guard let root = RootName(row.text(0)) else { throw InvalidRow() }
            return SourceRemoval(
                source: FileStamp(
                    file: FileReference(root: root, path: try row.path(1)),
                    sizeBytes: UInt64(bitPattern: row.integer(2)), modifiedNanoseconds: row.integer(3)),
                asset: try row.digest(4))
        }
    }

    public func forget(_ removal: SourceRemoval) throws {
        try connection.run(
            "DELETE FROM removals WHERE root = ? AND path = ?", removal.source.file.root.text,
            removal.source.file.path.bytes)
    }

    /// The RAW's copy in the library; nil where there is none.
    public func originalCopy(of asset: SHA256Value) throws -> OriginalCopy? { try copy(of: asset) }

    /// Where `photos/` shows the RAW's copy.
    public func originalPath(of asset: SHA256Value) throws -> RelativePath? { try path(of: .original(asset)) }
}
