package import Digest
internal import Jobs
public import LibraryTables
internal import PhotoTree
public import Selection
internal import Spelling

/// The albums of a library: ordered sets of photographs. A photograph may be in several albums. Each change is one
/// transaction. Functions throw `LibraryError`.
public struct Albums {
    private let database: LibraryDatabase
    private let table: AlbumTable
    private let tree: PhotoTree
    private let assets: AssetQueries
    private let queries: PhotoQueries
    private let renditions: RenditionTable

    init(_ store: LibraryStore) {
        database = store.tables.database
        renditions = store.tables.renditions
        tree = store.tree
        assets = store.assets
        queries = store.photos
        table = AlbumTable(database)
    }

    /// An album and its size.
    public struct Summary: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// Number of photographs.
        public let count: Int
    }

    /// A place in an album.
    public enum Place: Hashable, Sendable {
        /// Puts the first photograph at this index, from 0; past the end, in the last place.
        case index(Int)
        case before(AlbumMember)
        case after(AlbumMember)
        case end
    }

    // MARK: Reading

    /// All albums, in the order of their names.
    public func all() throws -> [Summary] { try table.all().map { Summary(name: $0.name, count: $0.count) } }

    /// An album's photographs, in order.
    ///
    /// - Throws: `AlbumError`, `LibraryError`.
    public func members(of name: String) throws -> [AlbumMember] { try table.members(of: try id(of: name)) }

    /// A photo of an album.
    public struct Photo: Hashable, Sendable {
        /// The index of its photograph in the album, from 0.
        public let index: Int
        /// One of the shown photos of the photograph.
        public let summary: PhotoSummary
    }

    /// The photos of an album that meet the filter, in the order of their photographs and paths.
    ///
    /// - Throws: `AlbumError`, `LibraryError`.
    public func photos(of name: String, _ filter: PhotoFilter = PhotoFilter()) throws -> [Photo] {
        let indexes = Dictionary(uniqueKeysWithValues: zip(try members(of: name), 0...))
        var filter = filter
        filter.album = name
        var found: [Photo] = []
        try queries.each(filter) { photo in
            if let index = indexes[AlbumMember(asset: photo.asset, frame: photo.frame)] {
                found.append(Photo(index: index, summary: photo))
            }
        }
        return found.sorted { ($0.index, $0.summary.path) < ($1.index, $1.summary.path) }
    }

    /// A photo of an album with its row.
    public struct Rendition: Hashable, Sendable {
        /// The photo and its place.
        public let photo: Photo
        /// Its files, its RAW and its recipe.
        public let record: RenditionRecord
    }

    /// The photos of an album that meet the filter, in the order of their photographs and paths. A photo that is shown
    /// in several folders counts once, at its first path.
    ///
    /// - Throws: `AlbumError`, `LibraryError`.
    public func renditions(of name: String, _ filter: PhotoFilter = PhotoFilter()) throws -> [Rendition] {
        var seen: Set<RenditionKey> = []
        return try photos(of: name, filter).filter { seen.insert($0.summary.key).inserted }.compactMap { photo in
            try renditions.record(photo.summary.id).map { Rendition(photo: photo, record: $0) }
        }
    }

    /// The photographs with a name: an asset's id names all frames of its RAW, a photo's path one.
    ///
    /// - Throws: `PhotoNameError` if the library has no such name; `LibraryError`.
    public func members(named name: AssetName) throws -> [AlbumMember] {
        let text: String
        switch name {
        case .path(let path):
            if let id = try tree.id(at: path), !id.variant.isEmpty {
                return [AlbumMember(asset: id.asset, frame: id.frame)]
            }
            text = path.description
        case .prefix(let digits): text = digits
        }
        switch try assets.find(name) {
        case .none: throw PhotoNameError.unknown(text)
        case .ambiguous(let assets): throw PhotoNameError.ambiguous(text, assets)
        case .found(let frames): return frames.map { AlbumMember(asset: $0.asset, frame: $0.frame) }
        }
    }

    /// The photographs with photos that meet the filter, in the order of the photos' paths.
    public func members(_ filter: PhotoFilter) throws -> [AlbumMember] {
        var members: [AlbumMember] = []
        try queries.each(filter) { members.append(AlbumMember(asset: $0.asset, frame: $0.frame)) }
        return Self.unique(members)
    }

    // MARK: Writing

    /// Creates an empty album.
    ///
    /// - Throws: `AlbumError`, `LibraryError`.
    public func create(_ name: String) throws {
        try database.transaction {
            try check(newName: name)
            _ = try table.insert(name)
        }
    }

    /// Renames an album.
    ///
    /// - Throws: `AlbumError`, `LibraryError`.
    public func rename(_ name: String, to newName: String) throws {
        try database.transaction {
            let album = try id(of: name)
            if newName == name { return }
            try check(newName: newName)
            try table.rename(album, newName)
        }
    }

    /// Removes an album. Its photographs stay in the library.
    ///
    /// - Returns: the number of its photographs.
    /// - Throws: `AlbumError`, `LibraryError`.
    @discardableResult
    public func delete(_ name: String) throws -> Int {
        try database.transaction {
            let album = try id(of: name)
            let count = try table.members(of: album).count
            try table.remove(album)
            return count
        }
    }

    /// Adds photographs in their order. Those in the album stay in place.
    ///
    /// - Returns: the number of new ones.
    /// - Throws: `AlbumError`, `LibraryError`.
    @discardableResult
    public func add(_ members: [AlbumMember], to name: String, at place: Place = .end) throws -> Int {
        try database.transaction {
            let album = try id(of: name)
            let new = try Self.unique(members).filter { try table.position(of: $0, in: album) == nil }
            try put(new, at: place, in: album, name)
            return new.count
        }
    }

    /// Removes photographs from an album.
    ///
    /// - Returns: how many were in it.
    /// - Throws: `AlbumError`, `LibraryError`.
    @discardableResult
    public func remove(_ members: [AlbumMember], from name: String) throws -> Int {
        try database.transaction {
            let album = try id(of: name)
            return try Self.unique(members).count { try table.remove($0, from: album) }
        }
    }

    /// Moves photographs within an album, in this order. Ignores those that are not in it.
    ///
    /// - Returns: how many were in it.
    /// - Throws: `AlbumError`, `LibraryError`.
    @discardableResult
    public func move(_ members: [AlbumMember], in name: String, to place: Place) throws -> Int {
        try database.transaction {
            let album = try id(of: name)
            let moved = try Self.unique(members).filter { try table.position(of: $0, in: album) != nil }
            switch place {
            case .before(let anchor), .after(let anchor):
                if moved.contains(anchor) { throw AlbumError.notAnAnchor(Self.shown(anchor), album: name) }
            case .index, .end: break
            }
            // Removed first, so that indexes and neighbours are those of the rest.
            for member in moved { _ = try table.remove(member, from: album) }
            try put(moved, at: place, in: album, name)
            return moved.count
        }
    }

    private func put(_ members: [AlbumMember], at place: Place, in album: Int64, _ name: String) throws {
        let gap = try gap(at: place, in: album, name)
        if let positions = AlbumOrder.positions(count: members.count, after: gap.low, before: gap.high) {
            for (member, position) in zip(members, positions) { try table.put(member, at: position, in: album) }
        } else {
            // The gap is used up, so the album is renumbered.
            var all = try table.members(of: album)
            let index = try gap.high.map { try table.index(of: $0, in: album) } ?? all.count
            all.insert(contentsOf: members, at: index)
            for (index, member) in all.enumerated() {
                try table.put(member, at: Int64(index + 1) * AlbumOrder.step, in: album)
            }
        }
    }

    private func gap(at place: Place, in album: Int64, _ name: String) throws -> (low: Int64?, high: Int64?) {
        var high: Int64?
        switch place {
        case .end: break
        case .index(let index): high = try table.position(at: max(0, index), in: album)
        case .before(let anchor): high = try position(ofAnchor: anchor, in: album, name)
        case .after(let anchor):
            let low = try position(ofAnchor: anchor, in: album, name)
            return (low, try table.position(after: low, in: album))
        }
        guard let high else { return (try table.lastPosition(in: album), nil) }
        return (try table.position(before: high, in: album), high)
    }

    private func position(ofAnchor anchor: AlbumMember, in album: Int64, _ name: String) throws -> Int64 {
        guard let position = try table.position(of: anchor, in: album) else {
            throw AlbumError.notAnAnchor(Self.shown(anchor), album: name)
        }
        return position
    }

    // MARK: Following the library

    /// Removes an asset's frames without photos from all albums, within a transaction.
    ///
    /// - Parameter frames: the frames to keep.
    package func forget(_ asset: SHA256Value, except frames: Set<UInt32>) throws {
        try table.remove(asset, except: frames)
    }

    /// Copies the albums of the database that this one replaces, within a transaction, without photographs that it
    /// lacks.
    package func takeOver(_ old: Albums) throws {
        for summary in try old.all() {
            let album = try table.insert(summary.name)
            let members = try old.members(of: summary.name).filter { try table.exists($0) }
            for (index, member) in members.enumerated() {
                try table.put(member, at: Int64(index + 1) * AlbumOrder.step, in: album)
            }
        }
    }

    // MARK: Names

    private func id(of name: String) throws -> Int64 {
        if let id = try table.id(of: name) { return id }
        throw AlbumError.unknown(name, near: Suggestion.nearest(to: name, among: try table.all().map(\.name)))
    }

    private func check(newName name: String) throws {
        let scalars = name.unicodeScalars
        guard (1...100).contains(name.count), name.utf8.count <= 400, scalars.first != " ", scalars.last != " ",
            !scalars.contains(where: { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
        else { throw AlbumError.badName(name) }
        if try table.id(of: name) != nil { throw AlbumError.exists(name) }
    }

    private static func shown(_ member: AlbumMember) -> String { String(member.asset.description.prefix(12)) }

    private static func unique(_ members: [AlbumMember]) -> [AlbumMember] {
        var seen: Set<AlbumMember> = []
        return members.filter { seen.insert($0).inserted }
    }
}
