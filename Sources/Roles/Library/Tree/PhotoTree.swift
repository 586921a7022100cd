internal import Digest
internal import Jobs

/// The rows of the files below `photos/`: which file has which name, and which rendition it shows. Each change of a row
/// also notes the names whose links have to follow.
struct PhotoTree {
    private let entries: TreeTable
    private let renditions: RenditionTable
    private let copies: OriginalCopyTable
    private let people: PeopleTable
    private let pending: PendingLinkTable

    init(
        entries: TreeTable, renditions: RenditionTable, copies: OriginalCopyTable, people: PeopleTable,
        pending: PendingLinkTable
    ) {
        self.entries = entries
        self.renditions = renditions
        self.copies = copies
        self.people = people
        self.pending = pending
    }

    /// The rendition that a look's file shows, when it was finished (milliseconds since 1970), and the file's path.
    func current(_ id: TreeEntryID) throws -> (key: RenditionKey, finished: Int64, path: RelativePath)? {
        try entries.current(id)
    }

    /// Gives a file its name, and the object it is a link to.
    ///
    /// If no entry has the first choice yet, the claim gets it, and nothing changes for other entries: a name that is
    /// the first choice of any entry is always held by one of them.
    ///
    /// - Parameter key: the rendition; nil for a RAW's copy.
    func place(_ claim: TreeClaim, key: RenditionKey?) throws {
        try place(claim, key: key, from: try entries.path(of: claim.id))
    }

    /// - Parameter path: the name the file has already; nil for a new file.
    func place(_ claim: TreeClaim, key: RenditionKey?, from path: RelativePath?) throws {
        guard let firstChoice = claim.names.first else { return }
        if try people.contains(firstChoice) { return try rearrange(claim, key: key) }
        if let path {
            guard try path == firstChoice && !entries.isContested(firstChoice) else {
                return try rearrange(claim, key: key)
            }
            try entries.setKey(key, of: claim.id)
            return try pending.insert(firstChoice)
        }
        guard try entries.insert(claim.id, key: key, path: firstChoice) else { return try rearrange(claim, key: key) }
        try pending.insert(firstChoice)
    }

    /// Gives the file that has a name another one, because the name is a person's.
    func leave(_ path: RelativePath) throws {
        guard let id = try entries.id(at: path), let file = try file(id) else { return }
        try rearrange(file.claim, key: file.key)
    }

    /// Gives a name that was a person's to the file whose first choice it is.
    func take(_ path: RelativePath) throws {
        for id in try entries.claimants(of: path) {
            guard let file = try file(id) else { continue }
            return try rearrange(file.claim, key: file.key)
        }
    }

    /// Names the RAW's copy again, if the asset has one: beside its newest rendition.
    func placeOriginalCopy(of asset: SHA256Value) throws {
        guard let copy = try copies.copy(of: asset), let claim = try claim(of: copy) else { return }
        if let firstChoice = claim.names.first, try entries.path(of: claim.id) == firstChoice,
            try !entries.isContested(firstChoice)
        {
            return
        }
        try place(claim, key: nil)
    }

    /// Nil while the asset has no rendition.
    private func claim(of copy: OriginalCopy) throws -> TreeClaim? {
        try renditions.newestOriginal(of: copy.asset).map { TreeNaming.original(copy, as: $0) }
    }

    // MARK: Contested names

    /// Assigns names again, among all files that accept a name in common with the claim, or with a name it had. Rare,
    /// so that it need not be fast.
    private func rearrange(_ claim: TreeClaim, key: RenditionKey?) throws {
        var files = try neighbours(of: claim)
        files[claim.id] = TreeFile(claim: claim, key: key, path: files[claim.id]?.path)
        let names = try NameAssignment.assign(files.values.map(\.claim), isTaken: people.contains)
        for id in files.keys { try entries.remove(id) }
        for (id, file) in files.sorted(by: { $0.key < $1.key }) {
            guard let name = names[id] else { continue }
            guard try entries.insert(id, key: file.key, path: name) else { throw InvalidRow() }
            if name != file.claim.names.first { try entries.insertDisplaced(file.claim) }
            if name == file.path, id != claim.id { continue }
            if let path = file.path { try pending.insert(path) }
            try pending.insert(name)
        }
    }

    private struct TreeFile {
        let claim: TreeClaim
        let key: RenditionKey?
        /// Its name until now; nil for a new file.
        let path: RelativePath?
    }

    /// All files that accept a name in common with the claim or with each other, including the claim's own row.
    private func neighbours(of claim: TreeClaim) throws -> [TreeEntryID: TreeFile] {
        var files: [TreeEntryID: TreeFile] = [:]
        var names = claim.names
        if let file = try file(claim.id) {
            files[claim.id] = file
            names += file.claim.names + [file.path].compactMap { $0 }
        }
        var seen: Set<RelativePath> = []
        while let name = names.popLast() {
            guard seen.insert(name).inserted else { continue }
            for id in try entries.claimants(of: name) where files[id] == nil {
                guard let file = try file(id) else { continue }
                files[id] = file
                names += file.claim.names
            }
        }
        return files
    }

    private func file(_ id: TreeEntryID) throws -> TreeFile? {
        guard let entry = try entries.entry(id) else { return nil }
        let claim =
            if let key = entry.key { try renditions.record(key).map(TreeNaming.photo) } else {
                try copies.copy(of: id.asset).flatMap { try self.claim(of: $0) }
            }
        return TreeFile(claim: claim ?? TreeClaim(id: id, names: [entry.path]), key: entry.key, path: entry.path)
    }
}
