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
    private let works: any HeldWorks
    private let readers: LibraryReaders
    private let folder: String
    private let onShow: @Sendable (_ order: String, [PhotoReviser.Change], _ problems: [String]) -> Void

    init(
        _ works: any HeldWorks, _ readers: LibraryReaders, folder: String,
        onShow: @escaping @Sendable (_ order: String, [PhotoReviser.Change], _ problems: [String]) -> Void
    ) {
        self.works = works
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
        var recipes: [Recipe] = []
        for photo in photos {
            guard case .recipe(let recipe) = photo.recipe.adjustment.reading else {
                throw ServiceError(
                    409, "final",
                    "\(photo.path) was edited by a program that this Rawmill does not know: it stays as it is.")
            }
            recipes.append(recipe)
        }
        let edited: [(photo: PhotoReviser.Photo, edited: EditedRecipe)]
        do {
            for recipe in Set(recipes) { try await changes.readLook(for: recipe) }
            try changes.store(in: Root(path: folder))
            edited = Array(zip(photos, try await works.apply(changes, to: recipes)))
        } catch let error as UsageError {
            throw RecipeQuery.refusal(error)
        }
        let wait = try await works.hold(edited)
        let order = String(BatchID.random().description.prefix(12))
        Task {
            await wait()
            await show(edited, order)
        }
        return order
    }

    private func show(_ edited: [(photo: PhotoReviser.Photo, edited: EditedRecipe)], _ order: String) async {
        do {
            let (changes, problems) = try await works.withLibrary { store in
                let reviser = PhotoReviser(store: store)
                var choices: [(photo: PhotoReviser.Photo, key: RenditionKey)] = []
                var problems: [String] = []
                for (photo, edited) in edited {
                    if let rendition = try reviser.rendition(of: photo, where: edited.fits) {
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
