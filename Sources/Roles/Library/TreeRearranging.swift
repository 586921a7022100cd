internal import Database
internal import Digest
internal import Jobs
internal import Manifests

/// Two files ask for one name: rare, so this way takes its time.
extension LibraryStore {
    /// Settles anew who has which name, among all who want any name in common with the claim, or held one it had.
    func rearrange(_ claim: TreeClaim, key: RenditionKey?) throws {
        var files = try neighbours(of: claim)
        files[claim.owner] = TreeFile(claim: claim, key: key?.digest.bytes, path: files[claim.owner]?.path)
        let names = TreeClaim.settle(files.values.map(\.claim))
        for owner in files.keys { try erase(owner) }
        for (owner, file) in files.sorted(by: { $0.key < $1.key }) {
            guard let name = names[owner] else { continue }
            guard try write(owner, key: file.key, path: name) else { throw InvalidRow() }
            if name != file.claim.names.first { try writeDisplaced(file.claim) }
            if name == file.path, owner != claim.owner { continue }
            if let path = file.path { try unsettle(path) }
            try unsettle(name)
        }
    }

    private struct TreeFile {
        let claim: TreeClaim
        let key: [UInt8]?
        /// Where it stands now; nil for one that comes.
        let path: RelativePath?
    }

    /// All files that want a name that one of them, or the claim, wants too; the claim's own row among them.
    private func neighbours(of claim: TreeClaim) throws -> [TreeEntryID: TreeFile] {
        var files: [TreeEntryID: TreeFile] = [:]
        var names = claim.names
        if let file = try file(of: claim.owner) {
            files[claim.owner] = file
            names += file.claim.names + [file.path].compactMap { $0 }
        }
        var seen: Set<RelativePath> = []
        while let name = names.popLast() {
            guard seen.insert(name).inserted else { continue }
            for owner in try owners(wanting: name) where files[owner] == nil {
                guard let file = try file(of: owner) else { continue }
                files[owner] = file
                names += file.claim.names
            }
        }
        return files
    }

    private func owners(wanting name: RelativePath) throws -> [TreeEntryID] {
        try connection.all(
            """
            SELECT asset, frame, look FROM tree WHERE path = ?1
            UNION SELECT asset, frame, look FROM displaced WHERE path = ?1
            """, name.bytes
        ) { row in
            TreeEntryID(
                asset: try row.digest(0), frame: UInt32(truncatingIfNeeded: row.integer(1)), look: row.text(2))
        }
    }

    private func file(of owner: TreeEntryID) throws -> TreeFile? {
        let row = try connection.first(
            "SELECT key, path FROM tree WHERE asset = ? AND frame = ? AND look = ?", owner.asset.bytes, owner.frame,
            owner.look
        ) { row in (key: row.isNull(0) ? nil : row.blob(0), path: try row.path(1)) }
        guard let row else { return nil }
        let names =
            if let key = row.key { try rendition(key).map(TreeNaming.photo) } else {
                try copy(of: owner.asset).flatMap { try claim(of: $0) }
            }
        return TreeFile(
            claim: names ?? TreeClaim(owner: owner, names: [row.path]), key: row.key, path: row.path)
    }

    private func erase(_ owner: TreeEntryID) throws {
        for table in ["tree", "displaced"] {
            try connection.run(
                "DELETE FROM \(table) WHERE asset = ? AND frame = ? AND look = ?", owner.asset.bytes, owner.frame,
                owner.look)
        }
    }

    private func writeDisplaced(_ claim: TreeClaim) throws {
        for name in Set(claim.names) {
            try connection.run(
                "INSERT INTO displaced VALUES (?, ?, ?, ?)", name.bytes, claim.owner.asset.bytes, claim.owner.frame,
                claim.owner.look)
        }
    }
}
