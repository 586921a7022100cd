internal import Database
internal import Digest
internal import Jobs
internal import Manifests

/// The rows of the files below `photos/`. Each change of a row also notes the names whose files have to follow.
extension LibraryStore {
    /// Gives the owner's file a name, and the object it stands for.
    ///
    /// A name that nobody has is nobody's first wish, for the first wish of anybody is held by one of those who have it:
    /// so who finds it free may take it, and changes nothing for others.
    ///
    /// - Parameter key: the rendition; nil for a RAW's copy.
    func place(_ claim: TreeClaim, key: RenditionKey?) throws {
        try place(claim, key: key, from: try path(of: claim.owner))
    }

    /// - Parameter path: the name the owner's file has; nil where it has none.
    func place(_ claim: TreeClaim, key: RenditionKey?, from path: RelativePath?) throws {
        guard let wish = claim.names.first else { return }
        let owner = claim.owner
        if let path {
            guard try path == wish && !isContested(wish) else { return try rearrange(claim, key: key) }
            try connection.run(
                "UPDATE tree SET key = ? WHERE asset = ? AND frame = ? AND look = ?", key?.digest.bytes,
                owner.asset.bytes, owner.frame, owner.look)
            return try unsettle(wish)
        }
        guard try write(owner, key: key?.digest.bytes, path: wish) else { return try rearrange(claim, key: key) }
        try unsettle(wish)
    }

    /// Names the RAW's copy anew, where it has one: beside the asset's newest rendition.
    func placeOriginal(of asset: SHA256Value) throws {
        guard let copy = try copy(of: asset), let claim = try claim(of: copy) else { return }
        if let wish = claim.names.first, try path(of: claim.owner) == wish, try !isContested(wish) { return }
        try place(claim, key: nil)
    }

    func path(of owner: TreeEntryID) throws -> RelativePath? {
        try connection.first(
            "SELECT path FROM tree WHERE asset = ? AND frame = ? AND look = ?", owner.asset.bytes, owner.frame,
            owner.look
        ) { row in try row.path(0) }
    }

    func copy(of asset: SHA256Value) throws -> OriginalCopy? {
        try connection.first("SELECT extension, bytes FROM copies WHERE asset = ?", asset.bytes) { row in
            OriginalCopy(
                asset: asset, fileExtension: row.text(0), sizeBytes: UInt64(bitPattern: row.integer(1)))
        }
    }

    /// Where the copy asks to stand; nil while its asset has no rendition.
    func claim(of copy: OriginalCopy) throws -> TreeClaim? {
        try connection.first(
            """
            SELECT original_root, original_path, original_bytes, original_modified FROM renditions
            WHERE asset = ? ORDER BY finished DESC, key DESC LIMIT 1
            """, copy.asset.bytes
        ) { row in
            guard let raw = FileStamp(row, at: 0) else { throw InvalidRow() }
            return TreeNaming.original(copy, as: raw)
        }
    }

    /// False, and nothing is written, where somebody has the name.
    func write(_ owner: TreeEntryID, key: [UInt8]?, path: RelativePath) throws -> Bool {
        try connection.run(
            "INSERT INTO tree VALUES (?, ?, ?, ?, ?) ON CONFLICT (path) DO NOTHING", owner.asset.bytes, owner.frame,
            owner.look, key, path.bytes) > 0
    }

    func unsettle(_ path: RelativePath) throws {
        try connection.run("INSERT OR IGNORE INTO unsettled VALUES (?)", path.bytes)
    }

    /// True where somebody else wants the name as well.
    private func isContested(_ path: RelativePath) throws -> Bool {
        try connection.first("SELECT 1 FROM displaced WHERE path = ?", path.bytes) { _ in true } ?? false
    }
}
