package import Database
package import Digest
package import Jobs
internal import Manifests
internal import PictureFormat

// Values of the library in rows. Columns count from 0.

extension Row {
    package func digest(_ column: Int32) throws -> SHA256Value {
        guard let digest = SHA256Value(bytes: blob(column)) else { throw InvalidRow() }
        return digest
    }

    package func path(_ column: Int32) throws -> RelativePath {
        guard let path = RelativePath(bytes: blob(column)) else { throw InvalidRow() }
        return path
    }

    package func key(_ column: Int32) throws -> RenditionKey {
        guard let key = RenditionKey(bytes: blob(column)) else { throw InvalidRow() }
        return key
    }

    package func frame(_ column: Int32) -> UInt32 { UInt32(truncatingIfNeeded: integer(column)) }

    /// From root, path, size in bytes, time of modification.
    package func stamp(_ column: Int32) throws -> FileStamp {
        guard let stamp = FileStamp(self, at: column) else { throw InvalidRow() }
        return stamp
    }

    /// The object that a tree entry shows, from key, asset and extension of a copy; nil if key and asset are NULL.
    package func object(_ column: Int32) throws -> RelativePath? {
        if !isNull(column) { return LibraryLayout.photo(try key(column)) }
        guard !isNull(column + 1) else { return nil }
        return LibraryLayout.original(try digest(column + 1), fileExtension: text(column + 2))
    }
}

extension FileRecord {
    /// From digest, size in bytes, width, height; nil if the digest is NULL.
    package init?(_ row: borrowing Row, at column: Int32) {
        guard let digest = try? row.digest(column) else { return nil }
        let size =
            row.isNull(column + 2)
            ? nil : PixelSize(width: Int(row.integer(column + 2)), height: Int(row.integer(column + 3)))
        self.init(digest: digest, sizeBytes: UInt64(bitPattern: row.integer(column + 1)), size: size)
    }
}

extension FileStamp {
    /// From root, path, size in bytes, time of modification; nil if root or path is NULL.
    package init?(_ row: borrowing Row, at column: Int32) {
        guard let root = RootName(row.text(column)), let path = RelativePath(bytes: row.blob(column + 1)) else {
            return nil
        }
        self.init(
            file: FileReference(root: root, path: path), sizeBytes: UInt64(bitPattern: row.integer(column + 2)),
            modifiedNanoseconds: row.integer(column + 3))
    }
}

/// A row that Rawmill cannot have written.
package struct InvalidRow: Error, CustomStringConvertible {
    package init() {}

    package var description: String {
        "the library's database holds a row that Rawmill cannot have written: another program changed it. "
            + "Run `rawmill library rebuild`."
    }
}
