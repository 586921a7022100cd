internal import Database
public import Digest
public import Jobs
public import LibraryTables
package import PhotoTree

/// A user's name for an asset.
public enum AssetName: Hashable, Sendable {
    /// The first hexadecimal digits of the asset's hash or of a rendition's key.
    case prefix(String)
    /// A file below the library's folder: a photo, a RAW's copy, an object, a preview.
    case path(RelativePath)

    /// Reads 4 to 64 hexadecimal digits as a prefix and any other relative path as a path. Nil for other texts.
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

/// The result of a search by name.
public enum AssetSearchResult: Hashable, Sendable {
    /// No asset matches the name.
    case none
    /// One asset, with each of its frames.
    case found([AssetDetails])
    /// The digits match several assets; lists at most ten.
    case ambiguous([SHA256Value])
}

/// Assets with all their files and edits. Functions throw `LibraryError`.
public struct AssetQueries {
    private let database: LibraryDatabase
    private let renditions: RenditionTable
    private let copies: OriginalCopyTable
    private let entries: TreeTable
    private let people: PeopleTable
    private let sightings: SightingTable
    private let histories: HistoryReader

    package init(_ tables: LibraryTables, histories: HistoryReader) {
        self.histories = histories
        database = tables.database
        renditions = tables.renditions
        copies = tables.copies
        entries = tables.entries
        people = tables.people
        sightings = tables.sightings
    }

    /// Finds an asset by a user's name.
    public func find(_ name: AssetName) throws -> AssetSearchResult {
        let assets =
            switch name {
            case .path(let path): try assets(owning: path)
            case .prefix(let digits): try renditions.assets(beginning: digits)
            }
        guard let asset = assets.first else { return .none }
        return assets.count == 1 ? .found(try details(of: asset)) : .ambiguous(assets)
    }

    /// The details of each frame of the asset, in order.
    public func details(of asset: SHA256Value) throws -> [AssetDetails] {
        let records = try renditions.records(of: asset)
        let copy = try copies.copy(of: asset)
        let copyAt = try entries.path(of: .originalCopy(of: asset))
        let shown = try entries.shownPaths(of: asset)
        let occupied = try entries.occupiedNames(of: asset)
        let edits = try people.edits(of: asset)
        let seen = try sightings.all(of: asset).map(\.raw)
        let photos = try histories.photos(of: asset)
        return Dictionary(grouping: records, by: \.frame).sorted { $0.key < $1.key }.compactMap { frame, records in
            AssetDetails(
                records, shown: shown, occupied: occupied, copy: copy, copyAt: copyAt, edits: edits, seen: seen,
                photos: photos.filter { $0.id.frame == frame }.map { .init(path: $0.path, history: $0.history) })
        }
    }

    /// The assets' files in `photos/`.
    public func shownPhotos(of assets: some Sequence<SHA256Value>) throws -> ShownPhotos {
        ShownPhotos(try entries.entries(of: Set(assets).sorted()))
    }

    /// The library's copy of the asset's RAW.
    public func originalCopy(of asset: SHA256Value) throws -> OriginalCopy? { try copies.copy(of: asset) }

    /// The paths of the RAW's copy in `photos/`.
    public func originalCopyPaths(of asset: SHA256Value) throws -> [RelativePath] {
        let id = TreeEntryID.originalCopy(of: asset)
        return try ([id] + entries.places(of: id)).compactMap { try entries.path(of: $0) }
    }

    /// Files copied into the library with the asset's RAW.
    public func companions(of asset: SHA256Value) throws -> [AdoptedEdit] {
        try people.edits(of: asset).filter(\.isCompanion)
    }

    /// The path in `photos/` of the RAW's copy that belongs to a path of the RAW.
    public func originalCopyPath(of asset: SHA256Value, for place: FileReference) throws -> RelativePath? {
        let id = TreeEntryID.originalCopy(of: asset)
        return try entries.path(of: id.at(place)) ?? entries.path(of: id)
    }

    /// Assets whose RAW's copy had, or wants, a name in `photos/` that another RAW took.
    public func originalsDisplaced(from path: RelativePath) throws -> [SHA256Value] {
        let originals = try entries.claimants(of: path).filter { $0 == .originalCopy(of: $0.asset).at($0.place) }
        return try originals.filter { try entries.path(of: $0) != path }.map(\.asset)
    }

    /// The names in `photos/` that users' files have.
    public func peoplesNames() throws -> [RelativePath] { try people.all().map(\.path) }

    /// Calls `body` with each copy of a RAW and its path in `photos/`.
    ///
    /// - Throws: `LibraryError`; errors of `body`.
    public func eachOriginalCopy(_ body: (OriginalCopy, RelativePath?) throws -> Void) throws {
        try database.perform { connection in
            try connection.each(
                """
                SELECT \(AssetNumbers.hash("c.asset")), c.extension, c.bytes, t.path FROM copies c
                LEFT JOIN tree t ON t.asset = c.asset AND t.frame = 0 AND t.look = '' ORDER BY 1
                """
            ) { row in
                let copy = OriginalCopy(
                    asset: try row.digest(0), fileExtension: row.text(1),
                    sizeBytes: UInt64(bitPattern: row.integer(2)))
                try body(copy, row.isNull(3) ? nil : try row.path(3))
            }
        }
    }

    private func assets(owning path: RelativePath) throws -> [SHA256Value] {
        let assets = try entries.assets(at: path)
        if !assets.isEmpty { return assets }
        // The name of an object or a preview is a rendition's key or an asset's hash.
        guard let digest = SHA256Value(stemOf: path) else { return [] }
        return try renditions.assets(beginning: digest.description)
    }
}

extension SHA256Value {
    /// Reads a file's name up to its first dot; nil if that is not a hash in hexadecimal.
    package init?(stemOf path: RelativePath) {
        let stem = path.name.prefix { $0 != UInt8(ascii: ".") }
        self.init(hex: String(decoding: stem, as: UTF8.self))
    }
}
