internal import Jobs
internal import Manifests
internal import MetadataHost
internal import Storage

/// Takes the edits below `photos/` over again after the database that knew them was lost: photos of this library with other
/// bytes, which a person's program wrote.
///
/// Which of them had been adopted before, no file says; all are people's in any case, and none is ever replaced.
struct EditRecovery {
    /// Files that are asked about together.
    private static let pageSize = 500

    private let store: LibraryStore
    private let reader: EditReader
    private let onUnread: (RelativePath, String) -> Void

    /// - Parameter onUnread: called with each file whose metadata could not be read, and why.
    init(store: LibraryStore, metadata: MetadataReader, onUnread: @escaping (RelativePath, String) -> Void) {
        self.store = store
        self.onUnread = onUnread
        reader = EditReader(store: store, metadata: metadata, onUnread: onUnread)
    }

    /// Call it when the files below `photos/` follow their rows: then every file without a row is a person's.
    ///
    /// - Returns: the number of edits.
    /// - Throws: `LibraryError`, `StorageError`.
    func run() async throws -> Int {
        guard let photos = RelativePath(LibraryLayout.photos) else { return 0 }
        var walk = FileWalk(root: store.root, below: photos)
        var count = 0
        while case let page = try walk.next(Self.pageSize), !page.isEmpty {
            try Task.checkCancellation()
            let strangers = try page.filter { try !Root.isTemporary($0.name) && !store.files.hasTreeEntry($0) }
            let edits = try await edits(at: strangers)
            try store.transaction { for edit in edits.values { try store.people.insert(edit) } }
            count += edits.count
        }
        return count
    }

    /// The new database is in its place, and another rebuild would keep what it knows: so where no process can be started, the
    /// files are named, and a verification can still adopt them.
    private func edits(at files: [RelativePath]) async throws -> [RelativePath: AdoptedEdit] {
        do { return try await reader.edits(at: files) } catch let error as MetadataReaderError {
            for file in files { onUnread(file, error.description) }
            return [:]
        }
    }
}
