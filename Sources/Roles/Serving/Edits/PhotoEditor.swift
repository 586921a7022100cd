internal import Clock
internal import Coordinator
internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Revisions
internal import Selection
internal import Storage
internal import Synchronization
internal import Telemetry
internal import WebService

/// Edits photos: renders a preview of each, then the photos, and shows them together when the last one is rendered.
///
/// An edit is recorded before its first render, so that a restarted server continues it.
final class PhotoEditor: Sendable {
    private typealias EditedPhoto = (photo: PhotoReviser.Photo, edited: EditedRecipe)

    let store: EditStore
    private let operations: any Operations
    private let readers: LibraryReaders
    private let folder: String
    private let previewer: EditPreviewer
    private let onPreview: @Sendable (_ order: String, EditRecord.Item?) -> Void
    private let onShow: @Sendable (_ order: String, [PhotoReviser.Change], _ problems: [String]) -> Void

    /// - Parameters:
    ///   - onPreview: called when an edit begins, and with each photo whose preview is rendered.
    ///   - onShow: called when an edit has ended.
    init(
        _ operations: any Operations, _ readers: LibraryReaders, folder: String, _ previewer: EditPreviewer,
        onPreview: @escaping @Sendable (_ order: String, EditRecord.Item?) -> Void,
        onShow: @escaping @Sendable (_ order: String, [PhotoReviser.Change], _ problems: [String]) -> Void
    ) {
        self.operations = operations
        self.readers = readers
        self.folder = folder
        self.previewer = previewer
        store = previewer.store
        self.onPreview = onPreview
        self.onShow = onShow
    }

    /// The photos that show the renditions, and the renditions that no photo shows.
    static func photos(
        _ ids: [SHA256Value], _ store: LibraryStore, _ reviser: PhotoReviser
    ) throws -> (found: [PhotoReviser.Photo], missing: [SHA256Value]) {
        var (found, missing): ([PhotoReviser.Photo], [SHA256Value]) = ([], [])
        for id in ids {
            guard let record = try store.rendition(named: id) else {
                missing.append(id)
                continue
            }
            let photos = try reviser.photos([.path(LibraryLayout.photo(record.key))])
            if photos.isEmpty { missing.append(id) } else { found += photos }
        }
        return (found, missing)
    }

    /// Begins an edit.
    ///
    /// - Returns: the order's id.
    /// - Throws: `ServiceError` if a photo cannot be edited.
    func begin(_ ids: [SHA256Value], _ changes: any RecipeEdit) async throws -> String {
        var changes = changes
        let (photos, missing) = try await readers.read { try Self.photos(ids, $0, PhotoReviser(store: $0)) }
        guard missing.isEmpty else {
            throw ServiceError(
                404, "unknown-photo", "\(missing.count) of the photos show another revision now.",
                remedy: "Load the page again.")
        }
        var recipes: [Recipe] = []
        for photo in photos {
            guard case .recipe(let recipe) = photo.recipe.adjustment.reading else {
                throw ServiceError(
                    409, "final",
                    "\(photo.path) was edited by a program that this Rawmill does not know: it stays as it is.")
            }
            recipes.append(recipe)
        }
        for recipe in Set(recipes) { try await changes.readLook(for: recipe) }
        try changes.store(in: Root(path: folder))
        let edited: [EditedPhoto] = Array(zip(photos, try await operations.apply(changes, to: recipes)))
        let record = EditRecord(edited, nowMilliseconds: WallClock.milliseconds)
        try store.begin(record)
        let render: @Sendable () async throws -> [FailureSummary]
        do { render = try await operations.prepare(edited) } catch {
            try? store.end(record.id, problems: [:])
            throw error
        }
        Task { await carryOut(record, edited, render) }
        return record.id
    }

    /// Continues the edits of an earlier process.
    func resume() async {
        try? store.sweep()
        for record in (try? store.records()) ?? [] where record.isOpen {
            let photos = try? await readers.read { store -> [EditedPhoto] in
                let reviser = PhotoReviser(store: store)
                return try record.items.filter { $0.problem == nil }.flatMap { item in
                    try Self.photos([item.shown], store, reviser).found.map { ($0, item.edited) }
                }
            }
            // The other photos show their edit already, or a later one.
            guard let photos, !photos.isEmpty else {
                try? store.end(record.id, problems: [:])
                continue
            }
            do {
                let render = try await operations.prepare(photos)
                Task { await carryOut(record, photos, render) }
            } catch {
                end(record.id, photos, Self.explained(error))
            }
        }
    }

    private func carryOut(
        _ record: EditRecord, _ edited: [EditedPhoto], _ render: @Sendable () async throws -> [FailureSummary]
    ) async {
        onPreview(record.id, nil)
        let wishes = try? await readers.read {
            try EditPreviewer.wishes(of: record, edited.map(\.photo), in: PhotoReviser(store: $0))
        }
        await previewer.render(wishes ?? []) { [onPreview] item, _ in onPreview(record.id, item) }
        do {
            try await show(edited, record, failures: render())
        } catch {
            end(record.id, edited, Self.explained(error))
        }
    }

    private func show(_ edited: [EditedPhoto], _ record: EditRecord, failures: [FailureSummary]) async throws {
        let reasons = Dictionary(failures.map { ($0.file, $0.message) }) { $1 }
        // A photo that was edited again since belongs to the later edit.
        let wished = Set((store[record.id]?.items ?? []).map(\.shown))
        let (changes, problems) = try await operations.withLibrary { store in
            let reviser = PhotoReviser(store: store)
            var choices: [(photo: PhotoReviser.Photo, key: RenditionKey)] = []
            var problems: [(photo: PhotoReviser.Photo, text: String)] = []
            for (photo, edited) in edited where photo.shownKey.map({ wished.contains($0.digest) }) ?? false {
                if let rendition = try reviser.rendition(of: photo, where: edited.fits) {
                    choices.append((photo, rendition.key))
                } else {
                    let reason = photo.raws.lazy.compactMap { reasons[$0] }.first
                    problems.append((photo, EditProblems.sentence(reason)))
                }
            }
            return (try reviser.show(choices), problems)
        }
        try? store.end(record.id, problems: Self.byShown(problems))
        onShow(record.id, changes, problems.map { "\($0.photo.path) stays as it is: \($0.text)." })
    }

    /// Ends an edit that failed for all its photos.
    private func end(_ id: String, _ edited: [EditedPhoto], _ problem: String) {
        try? store.end(id, problems: Self.byShown(edited.map { ($0.photo, problem) }))
        onShow(id, [], [problem])
    }

    private static func byShown(_ problems: [(photo: PhotoReviser.Photo, text: String)]) -> [SHA256Value: String] {
        Dictionary(problems.compactMap { photo, text in photo.shownKey.map { ($0.digest, text) } }) { $1 }
    }

    private static func explained(_ error: any Error) -> String {
        let explained = ServedErrors.explained(error)
        return explained.code == "internal" ? "\(error)" : explained.message
    }
}
