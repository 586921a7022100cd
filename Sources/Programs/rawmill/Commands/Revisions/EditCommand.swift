import Arguments
import ClusterControl
import CommandLineTool
import Coordinator
import Digest
import Jobs
import KafkaBroker
import LibraryTables
import Manifests
import Revisions
import Runs
import Serving
import Storage
import Telemetry

/// `rawmill edit`: develops photos of a library again with other settings. Each gets a revision; all are shown once all
/// are rendered.
enum EditCommand {
    static let from: Parameter<String?> = .optional(
        "from", "PHOTO", completion: .files,
        help: "Start from the recipe of another photo: its path, or its asset id.")

    static let command: Command = Command(
        "edit", summary: "Develop photos of a library again with other settings.",
        discussion: """
            The given options change; all other settings stay. Edit first renders a preview of each photo, at \
            most 2048 pixels long, and prints its path; then the photos. They become new revisions, shown in photos/ \
            all at once when the last one is rendered. `rawmill undo` goes back. Renditions that the library has are \
            not rendered again. With --broker, a cluster's workers render; this needs a library with tables on a \
            server.

            Exit status: 0 done, 3 some photos stay as they were (with reasons), 64 usage error, 70 Rawmill or the \
            machine cannot continue, 130 interrupted (run the same command to continue).
            """,
        examples: [
            .init("rawmill edit film/photos/raw/IMG_1.velvet.jpg --exposure 0.7 --library film", "brighter"),
            .init("rawmill edit 3fa2 81c0 --look nocturne --library film", "another look for two assets"),
            .init("rawmill edit 81c0 --from 3fa2 --library film", "with the recipe of 3fa2"),
            .init("rawmill edit --where \"album = 'trip'\" --from 3fa2 --library film", "all photos of an album"),
        ],
        parameters: PhotoNames.all + [from] + RecipeChanges.all + WorkerOptions.all
            + ReportOptions.all + BrokerOptions.optional + [RootOptions.roots]
    ) { values in
        let folder = values[LibraryOption.parameter]
        var changes = try RecipeChanges(PictureRequest(values, isEdit: true), library: folder)
        guard !changes.isEmpty || values[from] != nil else {
            throw UsageError(
                "No changes: give --look, --exposure, another picture option, or --from.",
                command: values.command)
        }
        var edit = try EditedPhotos(values)
        for recipe in Set(edit.photos.map(\.recipe)) { try await changes.readLook(for: recipe) }
        if let broker = values[BrokerOptions.optionalBroker] {
            return try await run(edit, changes, values, over: broker)
        }
        let locator = try await RawLocator(library: folder)
        edit.find { photo in locator.path(of: photo.raws).map { .path($0) } }
        return try await run(edit, changes, values)
    }

    private static func run(
        _ edit: EditedPhotos, _ changes: RecipeChanges, _ values: ArgumentValues
    ) async throws -> Int32 {
        let folder = values[LibraryOption.parameter]
        var edit = edit
        let previews = try EditPreviews(values)
        let console = Console(terminal: Terminal(descriptor: 2))
        let problems = EditProblems()
        let progress =
            console.terminal.isTerminal && !values[ReportOptions.noProgress] ? ProgressLine(console: console) : nil
        let status = try await LocalRun(values, to: .library(folder)).run(
            sources: edit.photos.compactMap(\.path), storing: changes.store,
            reporter: { roots in
                ReporterList([QuietReporter(errors: .standardError, roots: roots, progress: progress), problems])
            }
        ) { ledger in
            edit.recipes = try await ledger.perform { [edit] store in
                try edit.photos.map { EditedRecipe(recipe: try changes.applied(to: $0.recipe, in: store)) }
            }
            try await previews.render(edit)
            return edit.requests
        }
        if status == ExitStatus.interrupted { return status }
        return try show(edit, values, previews) { photo in problems[photo.path] }
    }

    /// Renders in a cluster.
    private static func run(
        _ edit: EditedPhotos, _ changes: RecipeChanges, _ values: ArgumentValues, over broker: BrokerAddress
    ) async throws -> Int32 {
        let folder = values[LibraryOption.parameter]
        guard try LibraryServer.address(of: folder) != nil else {
            throw CommandFailure(
                "this library uses a SQLite file, which allows one writer. Move its tables to a PostgreSQL server (rawmill "
                    + "library migrate), or stop the cataloguer and edit without --broker.")
        }
        let library = try Root(path: folder)
        var edit = edit
        edit.find { photo in UnpublishedOrders.raw(of: photo, library: library).map { .shared($0) } }
        try changes.store(in: library)
        edit.recipes = try edit.photos.map { photo in
            EditedRecipe(
                recipe: try changes.applied(to: photo.recipe, recording: false),
                hasOwnLook: changes.hasOwnLook(for: photo.recipe))
        }
        let previews = try EditPreviews(values)
        try await previews.render(edit)
        let transport = try BrokerOptions.commandTransport(values, to: broker)
        let orders = UnpublishedOrders(
            zip(edit.photos, edit.recipes).compactMap { photo, edited in photo.raw.map { ($0, edited) } })
        try await orders.send(with: ControlSender(transport))
        var problems: [[UInt8]: String] = [:]
        for batch in orders.batches {
            let status = try await BatchWatcher(batch, transport).run { _ in }
            for file in status.files.filter({ $0.kind == .failed }).flatMap(\.files) {
                problems[file.source] = file.message
            }
        }
        await transport.close()
        return try show(edit, values, previews) { photo in
            photo.raw.flatMap { problems[Array("\($0.root)/".utf8) + $0.path.bytes] }
        }
    }

    private static func show(
        _ edit: EditedPhotos, _ values: ArgumentValues, _ previews: EditPreviews,
        reason: (EditedPhotos.EditedPhoto) -> String?
    ) throws -> Int32 {
        let folder = values[LibraryOption.parameter]
        let isWhole = try edit.show(
            in: folder, asJSON: values[ReportOptions.json], isQuiet: values[ReportOptions.quiet], previews,
            reason: reason)
        return isWhole ? ExitStatus.done : ExitStatus.someFailed
    }
}

/// The photos of an edit, with their old and new recipes.
struct EditedPhotos {
    /// A photo to edit.
    struct EditedPhoto {
        let photo: PhotoReviser.Photo
        /// The recipe to change.
        let recipe: Recipe
        /// The RAW; nil before the search for it.
        var source: Source?

        /// The path of a RAW on this machine.
        var path: [UInt8]? { if case .path(let path) = source { path } else { nil } }

        /// A RAW in a cluster's roots.
        var raw: FileReference? { if case .shared(let raw) = source { raw } else { nil } }
    }

    /// The place of a RAW.
    enum Source {
        case path([UInt8])
        case shared(FileReference)
    }

    private(set) var photos: [EditedPhoto] = []
    /// Photos that stay unchanged, and why.
    private(set) var left: [(photo: PhotoReviser.Photo, problem: String)] = []
    /// The new recipe of each photo.
    var recipes: [EditedRecipe] = []

    /// Reads the photos of the command line.
    init(_ values: ArgumentValues) throws {
        let reviser = try PhotoReviser(library: values[LibraryOption.parameter], mode: .read)
        let template = try values[EditCommand.from].map { try Self.template($0, values, reviser) }
        for photo in try PhotoNames.photos(values, reviser) {
            // An unknown edit is never changed or copied.
            switch photo.recipe.adjustment.reading {
            case .recipe(let recipe): photos.append(EditedPhoto(photo: photo, recipe: template ?? recipe))
            case .final(let why): left.append((photo, "stays: \(why.dropLast())"))
            }
        }
    }

    private static func template(
        _ name: String, _ values: ArgumentValues, _ reviser: PhotoReviser
    ) throws -> Recipe {
        let found = try PhotoNames.photos([name], values, reviser)
        let recipes = Set(found.map(\.recipe.id))
        guard let first = found.first, recipes.count == 1 else {
            throw CommandFailure(
                "--from \(TerminalText.escape(name)) has \(found.count) photos with different recipes: give the path of one "
                    + "of them.")
        }
        guard case .recipe(let recipe) = first.recipe.adjustment.reading else {
            throw CommandFailure(
                "--from \(TerminalText.escape(name)): its edit is unknown to this version.")
        }
        return recipe
    }

    /// Finds the RAWs at any of their known paths.
    mutating func find(_ locate: (PhotoReviser.Photo) -> Source?) {
        var found: [EditedPhoto] = []
        for var photo in photos {
            if let source = locate(photo.photo) {
                photo.source = source
                found.append(photo)
            } else {
                let names = photo.photo.raws.map { "\($0)" }.joined(separator: ", ")
                left.append((photo.photo, "stays unchanged: its RAW is missing (\(names)); mount it or put it back"))
            }
        }
        photos = found
    }

    var requests: [RunRequest] {
        UnpublishedRequests.requests(
            zip(photos, recipes).compactMap { photo, edited in photo.path.map { ($0, edited.recipe) } },
            lane: .interactive)
    }

    /// Shows the rendered photos in one step, and reports it.
    ///
    /// - Parameter reason: why a photo could not be rendered, if known.
    /// - Returns: false if a photo stays unchanged.
    func show(
        in library: String, asJSON: Bool, isQuiet: Bool, _ previews: EditPreviews, reason: (EditedPhoto) -> String?
    ) throws -> Bool {
        let reviser = try PhotoReviser(library: library, mode: .visit)
        var choices: [(photo: PhotoReviser.Photo, key: RenditionKey)] = []
        var problems = left
        for (photo, edited) in zip(photos, recipes) {
            if let rendition = try reviser.rendition(of: photo.photo, where: edited.fits) {
                choices.append((photo.photo, rendition.key))
            } else {
                problems.append((photo.photo, "stays: \(EditProblems.sentence(reason(photo)))"))
            }
        }
        let changes = try reviser.show(choices)
        try previews.end(problems)
        let report = RevisionReport(reviser: reviser, asJSON: asJSON, output: .standardOutput)
        if !isQuiet || asJSON { for change in changes { report.write(change) } }
        for (photo, problem) in problems { report.write(photo, problem) }
        return problems.isEmpty
    }
}
