import Arguments
import Clock
import CommandLineTool
import Digest
import Jobs
internal import LibraryTables
import Revisions
import Serving
import Storage
import Synchronization
import Telemetry
import Worker

/// The previews of one `rawmill edit`: rendered and reported before its photos, and deleted after them.
final class EditPreviews {
    private let values: ArgumentValues
    private let folder: String
    private let root: Root
    private let store: EditStore
    private let renderer: DirectRenderer
    private let slots: Int
    private var edit: String?

    /// Starts the render processes: they get ready while the library is opened.
    init(_ values: ArgumentValues) throws {
        self.values = values
        folder = values[LibraryOption.parameter]
        root = try Root(path: folder)
        store = EditStore(in: root)
        let settings = WorkerOptions.settings(values)
        slots = settings.slots
        renderer = try DirectRenderer(settings, roots: [.library: folder], maxWaiting: settings.slots)
        renderer.warm()
    }

    /// Records the edit, renders the previews, and reports their paths.
    func render(_ edit: EditedPhotos) async throws {
        defer { renderer.stop() }
        let photos = Array(zip(edit.photos.map(\.photo), edit.recipes))
        guard (1...EditStore.maxPhotos).contains(photos.count) else { return }
        let record = EditRecord(photos.map { (photo: $0.0, edited: $0.1) }, nowMilliseconds: WallClock.milliseconds)
        try store.begin(record)
        self.edit = record.id
        let wishes = try EditPreviewer.wishes(
            of: record, photos.map(\.0), in: PhotoReviser(library: folder, mode: .read))
        let previewer = EditPreviewer(
            renderer: renderer, store: store, folder: folder, slots: slots, roots: RootOptions.paths(values))
        let isQuiet = values[ReportOptions.quiet]
        let asJSON = values[ReportOptions.json]
        let library = root.path
        await previewer.render(wishes) { item, path in
            let place = Array("\(library)/".utf8) + path
            if asJSON {
                TextOutput.standardOutput.write(
                    event: "preview",
                    [
                        "asset": item.asset.description,
                        "frame": item.frame,
                        "photo": String(decoding: item.path.bytes, as: UTF8.self),
                        "look": "\(item.edited.recipe.look)",
                        "preview": String(decoding: place, as: UTF8.self),
                    ])
            } else if !isQuiet {
                let line = "\(item.asset.description.prefix(12))  \(item.path): preview "
                TextOutput.standardOutput.write(
                    line: TerminalText.escape(line) + TerminalText.escape(place))
            }
        }
    }

    /// Ends the edit: the photos are shown, except for some that stay unchanged.
    func end(_ problems: [(photo: PhotoReviser.Photo, problem: String)]) throws {
        guard let edit else { return }
        let texts = problems.compactMap { photo, problem in
            photo.shownKey.map { ($0.digest, problem.hasPrefix("stays: ") ? String(problem.dropFirst(7)) : problem) }
        }
        try store.end(edit, problems: Dictionary(texts) { $1 })
    }
}
