package import Digest
package import Jobs
package import LibraryTables

/// The rows of the files in `photos/`: each file's name and the rendition it shows. Each change of a row also records
/// the names whose files must be updated.
package struct PhotoTree {
    private let entries: TreeTable
    private let renditions: RenditionTable
    private let copies: OriginalCopyTable
    private let sightings: SightingTable
    private let people: PeopleTable
    private let pending: PendingLinkTable
    private let placed: PlacedTable

    package init(_ tables: LibraryTables) {
        entries = tables.entries
        renditions = tables.renditions
        copies = tables.copies
        sightings = tables.sightings
        people = tables.people
        pending = tables.pendingLinks
        placed = tables.placed
    }

    /// The rendition that a file shows, its precedence there, and its path.
    package func current(_ id: TreeEntryID) throws -> (key: RenditionKey, precedence: Int64, path: RelativePath)? {
        try entries.current(id)
    }

    /// The asset's photos at their renditions' own paths, and the renditions that they show.
    package func photos(of asset: SHA256Value) throws -> [(id: TreeEntryID, key: RenditionKey)] {
        try entries.mainEntries(of: asset).compactMap { id, key in key.map { (id, $0) } }
    }

    /// Gives a file its name and its object. An unused first choice goes to the claim without changing others, because
    /// any entry's first choice is always in use.
    ///
    /// - Parameter key: the rendition; nil for a RAW's copy.
    package func place(_ claim: TreeClaim, key: RenditionKey?) throws {
        try place(claim, key: key, from: try entries.path(of: claim.id))
    }

    /// - Parameter path: the file's present name; nil for a new file.
    package func place(_ claim: TreeClaim, key: RenditionKey?, from path: RelativePath?) throws {
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

    /// Renames the photo at a path that a user's file now has.
    func leave(_ path: RelativePath) throws {
        guard let id = try entries.id(at: path), let file = try file(id) else { return }
        try rearrange(file.claim, key: file.key)
    }

    /// Gives a name that a user's file had to the photo whose first choice it is.
    package func take(_ path: RelativePath) throws {
        for id in try entries.claimants(of: path) {
            guard let file = try file(id) else { continue }
            return try rearrange(file.claim, key: file.key)
        }
    }

    /// Names the RAW's copy, if there is one, beside the newest rendition and at the RAW's other paths.
    package func placeOriginalCopy(of asset: SHA256Value) throws {
        guard let copy = try copies.copy(of: asset), let raw = try renditions.newestOriginal(of: asset) else { return }
        let others = try sightings.all(of: asset).map(\.raw).filter { $0.file != raw.file }
        let placed = Set(try entries.places(of: .originalCopy(of: asset)).compactMap(\.place))
        let claims =
            [TreeNaming.original(copy, as: raw)]
            + others.filter { !placed.contains($0.file) }.map { TreeNaming.original(copy, as: $0, isPlace: true) }
        for claim in claims {
            if let firstChoice = claim.names.first, try entries.path(of: claim.id) == firstChoice,
                try !entries.isContested(firstChoice)
            {
                continue
            }
            try place(claim, key: nil)
        }
        try withdrawPlaces(of: .originalCopy(of: asset), except: Set(others.map(\.file)))
    }

    package func id(at path: RelativePath) throws -> TreeEntryID? { try entries.id(at: path) }

    /// Gives a photo another variant, unless another photo of the frame has it. Returns the photo's present identifier.
    package func rename(_ id: TreeEntryID, to variant: String) throws -> TreeEntryID {
        let renamed = TreeEntryID(asset: id.asset, frame: id.frame, variant: variant)
        guard variant != id.variant, try entries.entry(renamed) == nil else { return id }
        try entries.rename(id, to: variant)
        return renamed
    }

    package func paths(showing record: RenditionRecord) throws -> [RelativePath] {
        try entries.paths(showing: record.key, of: record.asset)
    }

    /// Marks all files that show a rendition to be checked again. Its object had other bytes for a while, so copies
    /// made then have those bytes although their records have the row's hash.
    func lookAgain(at record: RenditionRecord) throws {
        let paths = try paths(showing: record)
        try placed.doubt(paths)
        try pending.insert(paths)
    }

    /// Removes a file from the tree, at each of its places.
    package func withdraw(_ id: TreeEntryID) throws {
        for place in try entries.places(of: id) + [id] {
            guard let path = try entries.path(of: place) else { continue }
            try entries.remove(place)
            try pending.insert(path)
            try take(path)
        }
    }

    // MARK: Several paths of one RAW

    /// Shows the asset's photos and its RAW's copy for every path where the RAW was seen.
    package func showEverywhere(_ asset: SHA256Value) throws {
        for (id, key) in try entries.mainEntries(of: asset) {
            guard let key, let record = try renditions.record(RenditionID(asset: asset, key: key)) else { continue }
            try showEverywhere(record, id)
        }
        try placeOriginalCopy(of: asset)
    }

    /// Shows the asset's photos and its RAW's copy for one more path.
    package func show(_ sighting: Sighting, of asset: SHA256Value) throws {
        for (id, key) in try entries.mainEntries(of: asset) {
            guard let key, let record = try renditions.record(RenditionID(asset: asset, key: key)),
                sighting.raw.file != record.original.file
            else { continue }
            try place(TreeNaming.photo(record, as: id, seenAt: sighting), key: key)
        }
        guard let copy = try copies.copy(of: asset), try renditions.newestOriginal(of: asset)?.file != sighting.raw.file
        else { return }
        try place(TreeNaming.original(copy, as: sighting.raw, isPlace: true), key: nil)
    }

    /// Shows the asset's photos at their renditions' present paths, after the RAW has moved.
    package func follow(_ asset: SHA256Value) throws {
        for (id, key) in try entries.mainEntries(of: asset) {
            guard let key, let record = try renditions.record(RenditionID(asset: asset, key: key)) else { continue }
            let others = try sightings.all(of: asset).map(\.raw.file).filter { $0 != record.original.file }
            try withdrawPlaces(of: id, except: Set(others))
            try place(TreeNaming.photo(record, as: id), key: key)
        }
        try showEverywhere(asset)
    }

    /// Shows a look's current photo for the RAW's other paths.
    package func showEverywhere(_ record: RenditionRecord, _ id: TreeEntryID) throws {
        let others = try sightings.all(of: record.asset).filter { $0.raw.file != record.original.file }
        for sighting in others { try place(TreeNaming.photo(record, as: id, seenAt: sighting), key: record.key) }
        try withdrawPlaces(of: id, except: Set(others.map(\.raw.file)))
    }

    private func withdrawPlaces(of id: TreeEntryID, except kept: Set<FileReference>) throws {
        for other in try entries.places(of: id) {
            guard let place = other.place, !kept.contains(place), let path = try entries.path(of: other) else {
                continue
            }
            try entries.remove(other)
            try pending.insert(path)
            try take(path)
        }
    }

    // MARK: Contested names

    /// Assigns names among all files that share an accepted name with the claim or with its present name. Slow but
    /// rare.
    private func rearrange(_ claim: TreeClaim, key: RenditionKey?) throws {
        var files = try neighbours(of: claim)
        files[claim.id] = TreeFile(claim: claim, key: key, path: files[claim.id]?.path)
        let names = try NameAssignment.assign(files.values.map(\.claim), isTaken: people.contains)
        for id in files.keys { try entries.remove(id) }
        for (id, file) in files.sorted(by: { $0.key < $1.key }) {
            guard let name = names[id] else { continue }
            guard try entries.insert(id, key: file.key, path: name) else { throw InvalidRow() }
            if name != file.claim.names.first { try entries.insertDisplaced(id, names: file.claim.names) }
            if name == file.path, id != claim.id { continue }
            if let path = file.path { try pending.insert(path) }
            try pending.insert(name)
        }
    }

    private struct TreeFile {
        let claim: TreeClaim
        let key: RenditionKey?
        /// Nil for a new file.
        let path: RelativePath?
    }

    /// All files that share accepted names with the claim or with each other, including the claim's own row.
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
        let claim = try claim(id, key: entry.key)
        return TreeFile(claim: claim ?? TreeClaim(id: id, names: [entry.path]), key: entry.key, path: entry.path)
    }

    /// Nil for a file whose rendition or place is unknown.
    private func claim(_ id: TreeEntryID, key: RenditionKey?) throws -> TreeClaim? {
        let sighting = try id.place.flatMap { try sightings.sighting(of: id.asset, at: $0) }
        if id.place != nil, sighting == nil { return nil }
        if let key {
            let record = try renditions.record(RenditionID(asset: id.asset, key: key))
            return record.map { TreeNaming.photo($0, as: id, seenAt: sighting) }
        }
        guard let copy = try copies.copy(of: id.asset) else { return nil }
        if let sighting { return TreeNaming.original(copy, as: sighting.raw, isPlace: true) }
        return try renditions.newestOriginal(of: id.asset).map { TreeNaming.original(copy, as: $0) }
    }
}
