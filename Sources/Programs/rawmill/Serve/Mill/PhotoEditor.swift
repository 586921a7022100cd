import Arguments
import Clock
import Coordinator
import Digest
import Jobs
import Library
import Manifests
import Storage
import Synchronization
import Telemetry
import WebService

/// Develops photos again with other settings, and shows the results all at once when the last is rendered.
final class PhotoEditor: Sendable {
    private let mill: Mill
    private let readers: LibraryReaders
    private let folder: String
    private let onShow: @Sendable (_ order: String, [PhotoReviser.Change], _ problems: [String]) -> Void

    init(
        _ mill: Mill, _ readers: LibraryReaders, folder: String,
        onShow: @escaping @Sendable (_ order: String, [PhotoReviser.Change], _ problems: [String]) -> Void
    ) {
        self.mill = mill
        self.readers = readers
        self.folder = folder
        self.onShow = onShow
    }

    /// The photos that show renditions, and the renditions that no photo shows.
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
    func begin(_ ids: [SHA256Value], _ changes: RecipeChanges) async throws -> String {
        var changes = changes
        let (photos, missing) = try await readers.read { try Self.photos(ids, $0, PhotoReviser(store: $0)) }
        guard missing.isEmpty else {
            throw ServiceError(
                404, "unknown-photo", "\(missing.count) of the photos show another revision now.",
                remedy: "Load the page again.")
        }
        let locator = try await RawLocator(library: folder)
        var edited: [(photo: PhotoReviser.Photo, source: [UInt8], recipe: Recipe)] = []
        for photo in photos {
            guard case .recipe(let recipe) = photo.recipe.adjustment.reading else {
                throw ServiceError(
                    409, "final",
                    "\(photo.path) was edited by a program that this Rawmill does not know: it stays as it is.")
            }
            guard let source = locator.path(of: photo.raws) else {
                throw ServiceError(
                    409, "raw-missing", "The RAW of \(photo.path) is not where it was.",
                    remedy: "Mount or put it there again.")
            }
            edited.append((photo, source, recipe))
        }
        do {
            for recipe in Set(edited.map(\.recipe)) { try await changes.readLook(for: recipe) }
            try changes.store(in: Root(path: folder))
            let (ready, old) = (changes, edited.map(\.recipe))
            let recipes = try await mill.withLedger { store in try old.map { try ready.applied(to: $0, in: store) } }
            for index in edited.indices { edited[index].recipe = recipes[index] }
        } catch let error as UsageError {
            throw RecipeQuery.refusal(error)
        }
        let requests = HeldPhotos.requests(edited.map { ($0.source, $0.recipe) }, lane: .interactive)
        let order = String(BatchID.random().description.prefix(12))
        await mill.submit(requests)
        let batches = requests.flatMap(\.submissions).map(\.batch)
        Task { [edited] in
            await wait(for: batches)
            await show(edited.map { ($0.photo, $0.recipe) }, order)
        }
        return order
    }

    /// Returns when no job of the batches is open.
    private func wait(for batches: [BatchID]) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(150))
            let isOver = try? await mill.readingLedger(else: false) { store in
                var known: [BatchID: BatchReport] = [:]
                try store.reports.eachBatch { known[$0.batch] = $0 }
                return batches.allSatisfy { batch in
                    known[batch].map { $0.counts.accepted > 0 && $0.counts.open == 0 || $0.state == .cancelled }
                        ?? false
                }
            }
            if isOver == true { return }
            // What the library had already makes no batch.
            if await !mill.isWorking, await !mill.hasRequests { return }
        }
    }

    private func show(_ edited: [(photo: PhotoReviser.Photo, recipe: Recipe)], _ order: String) async {
        do {
            let (changes, problems) = try await mill.withLibrary { store in
                let reviser = PhotoReviser(store: store)
                var choices: [(photo: PhotoReviser.Photo, key: RenditionKey)] = []
                var problems: [String] = []
                for (photo, recipe) in edited {
                    if let rendition = try reviser.rendition(of: photo, recipe: recipe.id) {
                        choices.append((photo, rendition.key))
                    } else {
                        problems.append("\(photo.path) stays as it is: it could not be rendered.")
                    }
                }
                return (try reviser.show(choices), problems)
            }
            onShow(order, changes, problems)
        } catch {
            onShow(order, [], ["\(error)"])
        }
    }
}
