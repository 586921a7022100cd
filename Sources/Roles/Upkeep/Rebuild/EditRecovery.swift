internal import Jobs
internal import LibraryTables
internal import Manifests
internal import MetadataHost
internal import PhotoTree
internal import Storage

/// Recovers the edits in `photos/` after their database was lost: photos of this library with other bytes, which a
/// user's program wrote. No file records which were adopted; all are users' files, and none is ever replaced.
struct EditRecovery {
    private static let pageSize = 500

    private let store: LibraryStore
    private let reader: EditReader
    private let onUnread: (RelativePath, String) -> Void

    /// - Parameter onUnread: called with each file whose metadata could not be read, and the cause.
    init(store: LibraryStore, metadata: MetadataReader, onUnread: @escaping (RelativePath, String) -> Void) {
        self.store = store
        self.onUnread = onUnread
        reader = EditReader(store: store, metadata: metadata, onUnread: onUnread)
    }

    /// Call it when the files in `photos/` match their rows: then every file without a row is a user's.
    ///
    /// - Returns: the number of edits.
    /// - Throws: `LibraryError`, `StorageError`.
    func run() async throws -> Int {
        guard let photos = RelativePath(LibraryLayout.photos) else { return 0 }
        var walk = FileWalk(root: store.root, below: photos)
        var count = 0
        while case let page = try walk.next(Self.pageSize), !page.isEmpty {
            try Task.checkCancellation()
            let strangers = try page.filter { try !Root.isTemporary($0.name) && !store.tables.files.hasTreeEntry($0) }
            let edits = try await edits(at: strangers)
            try store.transaction { for edit in edits.values { try store.tables.people.insert(edit) } }
            count += edits.count
        }
        return count
    }

    /// The new database is in place, and another rebuild would keep its contents. So if no process can be started, the
    /// files are reported, and a verification can adopt them later.
    private func edits(at files: [RelativePath]) async throws -> [RelativePath: AdoptedEdit] {
        do { return try await reader.edits(at: files) } catch let error as MetadataReaderError {
            for file in files { onUnread(file, error.description) }
            return [:]
        }
    }
}
