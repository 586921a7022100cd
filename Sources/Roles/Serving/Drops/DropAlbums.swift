internal import Albums
internal import Digest
internal import Jobs
internal import PhotoTree
internal import Selection
internal import WebService

struct DropAlbums: Sendable {
    private let drops: DropStore
    private let operations: any Operations
    private let onChange: @Sendable () -> Void

    /// - Parameter onChange: called when an album gets a photo.
    init(_ drops: DropStore, _ operations: any Operations, onChange: @escaping @Sendable () -> Void) {
        self.drops = drops
        self.operations = operations
        self.onChange = onChange
    }

    /// Opens a drop as an album, which gets the photos in their order as they are rendered.
    ///
    /// - Returns: the album's name.
    /// - Throws: `ServiceError` if albums cannot be changed here.
    func open(_ id: String) async throws -> String {
        guard let drop = drops[id] else {
            throw ServiceError(404, "unknown-drop", "The drop does not exist.")
        }
        let name = try await operations.withLibrary { store in
            let known = Set(try store.albums.all().map(\.name))
            if let album = drop.album, known.contains(album) { return album }
            let name = Self.name(for: drop.title, besides: known)
            try store.albums.create(name)
            return name
        }
        try drops.set(album: name, added: [], of: id)
        try await fill(id)
        return name
    }

    /// Shortens a title to the length of an album's name, and numbers it if another album has it.
    private static func name(for title: String, besides known: Set<String>) -> String {
        let plain = String(title.prefix(90)).split(separator: " ").joined(separator: " ")
        let base = plain.isEmpty ? "Drop" : plain
        if !known.contains(base) { return base }
        for number in 2... where !known.contains("\(base) \(number)") { return "\(base) \(number)" }
        return base
    }

    func follow() async {
        for drop in drops.all where drop.album != nil { try? await fill(drop.id) }
    }

    private func fill(_ id: String) async throws {
        guard let drop = drops[id], let album = drop.album else { return }
        let done = drop.ordered.filter { $0.state == .done && $0.asset != nil }
        let new = done.filter { !drop.inAlbum.contains($0.index) }
        guard !new.isEmpty else { return }
        let indexes = Set(new.map(\.index))
        do {
            let added = try await operations.withLibrary { store in
                var last: AlbumMember?
                var present = Set(try store.albums.members(of: album))
                var added: [Int] = []
                for file in done {
                    guard let asset = file.asset, let digest = SHA256Value(hex: asset) else { continue }
                    let members =
                        indexes.contains(file.index)
                        ? try store.shownPhotos(of: asset).map { AlbumMember(asset: $0.asset, frame: $0.frame) }
                        : (0..<UInt32(max(1, file.photos.count))).map { AlbumMember(asset: digest, frame: $0) }
                    if indexes.contains(file.index), !members.isEmpty {
                        try store.albums.add(members, to: album, at: last.map { .after($0) } ?? .index(0))
                        present.formUnion(members)
                        added.append(file.index)
                    }
                    last = members.last { present.contains($0) } ?? last
                }
                return added
            }
            try drops.set(album: album, added: added, of: id)
            if !added.isEmpty { onChange() }
        } catch AlbumError.unknown {
            // A user renamed or removed the album.
            try drops.set(album: nil, added: [], of: id)
        }
    }
}
