internal import Database
public import Digest
public import Jobs

/// What a person names an asset by.
public enum AssetName: Hashable, Sendable {
    /// The first digits of its id, or of a rendition's key.
    case prefix(String)
    /// A file below the library's folder: a photo, a RAW's copy, an object, a preview.
    case path(RelativePath)

    /// Hexadecimal digits are an id, at least four; everything else is a path. Nil for neither.
    public init?(_ text: String) {
        if (4...64).contains(text.utf8.count), text.allSatisfy(\.isHexDigit) {
            self = .prefix(text.lowercased())
        } else if let path = RelativePath(text) {
            self = .path(path)
        } else {
            return nil
        }
    }
}

public enum AssetSearchResult: Hashable, Sendable {
    case none
    /// One photograph; several where a RAW holds several frames.
    case found([AssetDetails])
    /// The digits fit several assets; some of them.
    case ambiguous([SHA256Value])
}

extension LibraryStore {
    public func asset(named name: AssetName) throws -> AssetSearchResult {
        try LibraryError.naming(folder) {
            let found = try assets(named: name)
            guard let asset = found.first else { return .none }
            return found.count == 1 ? .found(try details(of: asset)) : .ambiguous(found)
        }
    }

    /// Each frame of the asset.
    public func details(of asset: SHA256Value) throws -> [AssetDetails] {
        let records = try connection.all(
            "SELECT \(Self.renditionColumns) FROM \(Self.renditionSource) WHERE r.asset = ? ORDER BY r.frame",
            asset.bytes
        ) { row in try RenditionRecord(row) }
        let copy = try copy(of: asset)
        let copyAt = try path(of: .original(asset))
        let shown = try shownPaths(of: asset)
        return Dictionary(grouping: records, by: \.frame).sorted { $0.key < $1.key }.compactMap { _, records in
            AssetDetails(records, shown: shown, copy: copy, copyAt: copyAt)
        }
    }

    /// Where `photos/` shows a rendition; nil for one that is not the current one of its look.
    public func shownPath(of key: RenditionKey, asset: SHA256Value, frame: UInt32, look: String) throws -> RelativePath?
    {
        try connection.first(
            "SELECT path FROM tree WHERE asset = ? AND frame = ? AND look = ? AND key = ?", asset.bytes, frame, look,
            key.digest.bytes
        ) { row in try row.path(0) }
    }

    /// Hands out each RAW that was copied into the library, and where `photos/` shows it.
    public func eachOriginalCopy(_ body: (OriginalCopy, RelativePath?) throws -> Void) throws {
        try LibraryError.naming(folder) {
            try connection.each(
                """
                SELECT c.asset, c.extension, c.bytes, t.path FROM copies c
                LEFT JOIN tree t ON t.asset = c.asset AND t.frame = 0 AND t.look = '' ORDER BY c.asset
                """
            ) { row in
                let copy = OriginalCopy(
                    asset: try row.digest(0), fileExtension: row.text(1),
                    sizeBytes: UInt64(bitPattern: row.integer(2)))
                try body(copy, row.isNull(3) ? nil : try row.path(3))
            }
        }
    }

    private func shownPaths(of asset: SHA256Value) throws -> [RenditionKey: RelativePath] {
        var shown: [RenditionKey: RelativePath] = [:]
        try connection.each("SELECT key, path FROM tree WHERE asset = ? AND key IS NOT NULL", asset.bytes) { row in
            shown[RenditionKey(digest: try row.digest(0))] = try row.path(1)
        }
        return shown
    }

    private func assets(named name: AssetName) throws -> [SHA256Value] {
        switch name {
        case .path(let path): try assets(owning: path)
        case .prefix(let digits): try assets(beginning: digits)
        }
    }

    private func assets(owning path: RelativePath) throws -> [SHA256Value] {
        let found = try connection.all("SELECT asset FROM tree WHERE path = ?", path.bytes) { try $0.digest(0) }
        if !found.isEmpty { return found }
        // An object or a preview: its name is its key, or the asset itself.
        let stem = path.name.prefix { $0 != UInt8(ascii: ".") }
        guard let digest = SHA256Value(hex: String(decoding: stem, as: UTF8.self)) else { return [] }
        return try assets(beginning: digest.description)
    }

    private func assets(beginning digits: String) throws -> [SHA256Value] {
        let missing = 64 - digits.utf8.count
        guard missing >= 0, let least = SHA256Value(hex: digits + String(repeating: "0", count: missing)),
            let most = SHA256Value(hex: digits + String(repeating: "f", count: missing))
        else { return [] }
        for column in ["asset", "key"] {
            let found = try connection.all(
                "SELECT DISTINCT asset FROM renditions WHERE \(column) BETWEEN ? AND ? ORDER BY asset LIMIT 10",
                least.bytes, most.bytes
            ) { try $0.digest(0) }
            if !found.isEmpty { return found }
        }
        return []
    }
}
