internal import Clock
internal import Digest
internal import Jobs
internal import Manifests
internal import Revisions
internal import Storage
internal import Synchronization
internal import Telemetry
internal import Web
internal import WebPage
internal import WebService
internal import Worker

/// The parts of a served library, and what they share.
final class SharedLibrary: Sendable {
    let folder: String
    let events = EventHub()
    let readers: LibraryReaders
    private let root: Root
    private let recipes: any RecipeSettings
    private let log: Logger
    private let index = GalleryIndex()
    private let facetCache: FacetCache
    private let dismissed: DismissedFailures
    private let raws: RawFileLocator
    private let drops: DropStore
    private let uploads: UploadStore
    private let changes = ChangeLog()
    private let page = PageFiles()
    private let onJobEnd = Mutex<(@Sendable (Manifest) -> Void)?>(nil)

    /// - Throws: `StorageError`.
    init(_ path: String, recipes: any RecipeSettings, log: Logger) throws {
        folder = RealPath.of(Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? path
        root = try Root(path: folder)
        self.recipes = recipes
        self.log = log
        readers = LibraryReaders(folder)
        facetCache = FacetCache(readers)
        dismissed = try DismissedFailures(in: root)
        raws = RawFileLocator(folder)
        drops = try DropStore(in: root)
        uploads = try UploadStore(".rawmill/uploads", in: root)
    }

    // MARK: Events

    func observer() -> OperationsObserver {
        OperationsObserver(events, library: folder) { [self] manifest in
            dismissed.forget(manifest.job)
            index.photoCame()
            onJobEnd.withLock { $0 }?(manifest)
        }
    }

    /// Reports changed photos, with the order's id if an edit changed them.
    private func changed(_ order: String? = nil, _ changes: [PhotoReviser.Change] = []) {
        index.forget()
        Task { await facetCache.forget() }
        // For a larger change, the pages load the photos again.
        let shown = (changes.count <= Self.maxShown ? changes : []).map { change -> JSONFields in
            ["before": EditRoutes.key(change.before), "after": EditRoutes.key(change.after)]
        }
        events.send("library", JSONWriter.line(["order": order, "changes": shown] as JSONFields))
    }

    private static let maxShown = 200

    // MARK: Parts

    func intake(_ operations: any Operations) throws -> DropIntake {
        let intake = DropIntake(
            drops, uploads, in: root, recipes: recipes, operations: operations, readers: readers, events: events
        ) { [self] in changed() }
        onJobEnd.withLock { $0 = { intake.ended($0) } }
        return intake
    }

    func editor(
        _ operations: any Operations, _ renderer: DirectRenderer, slots: Int, _ figures: ThroughputStatistics
    ) -> PhotoEditor {
        let previewer = EditPreviewer(renderer: renderer, store: EditStore(in: root), folder: folder, slots: slots)
        return PhotoEditor(operations, readers, folder: folder, previewer) { [events] order, item in
            events.send("edit", EditJSON.event(order, item))
        } onShow: { [self] order, changes, problems in
            for problem in problems { figures.notice(problem) }
            changed(order, changes)
        }
    }

    // MARK: Routes

    func routes(
        of operations: any Operations, attempts: AttemptLog, _ intake: DropIntake, _ editor: PhotoEditor,
        _ renderer: DirectRenderer
    ) -> [Route] {
        let cameraPictures = CameraPictures(renderer)
        return BatchRoutes(operations: operations, events: events).routes
            + FailureRoutes(operations: operations, dismissed: dismissed, events: events, attempts: attempts).routes
            + WorkerRoutes(operations: operations).routes
            + EditRoutes(
                editor: editor, operations: operations, readers: readers, folder: folder, recipes: recipes,
                changed: { [self] in changed($0, $1) }
            ).routes
            + GalleryRoutes(readers: readers, index: index, facetCache: facetCache).routes
            + PhotoRoutes(readers: readers, raws: raws, edits: editor.store).routes
            + ObjectRoutes(
                folder: folder, readers: readers, raws: raws, cameraPictures: cameraPictures, renderer: renderer
            ).routes
            + AlbumRoutes(
                operations: operations, readers: readers, folder: folder, log: log, changed: { [self] in changed() }
            ).routes
            + LookRoutes(operations: operations, recipes: recipes).routes
            + uploadRoutes(intake).routes
            + DropRoutes(
                drops: drops, intake: intake, uploads: uploads, readers: readers, folder: folder, root: root,
                recipes: recipes, cameraPictures: cameraPictures
            ).routes
            + RenderRoutes(renderer: renderer, readers: readers, raws: raws, root: root, recipes: recipes).routes
    }

    private func uploadRoutes(_ intake: DropIntake) -> UploadRoutes {
        let routes = UploadRoutes(
            uploads, at: "/v1/uploads", onCreate: { try intake.begin($0) },
            onComplete: { upload in
                do { try intake.complete(upload) } catch let error as StorageError { throw error } catch {
                    throw ServedErrors.explained(error)
                }
            }, onRemove: { intake.remove($0) })
        routes.takeLeftovers()
        return routes
    }

    func router(_ routes: [Route], _ access: AccessControl) -> Router {
        let own = [Route.get("/v1/openapi.json") { [page] in page.interface(for: $0.request) }]
        return Router(
            routes + AuditRoutes(changes: changes).routes + own, access: access,
            page: { [page] in page.response(to: $0) },
            onError: { [log] request, error in
                let explained = ServedErrors.explained(error)
                if explained.code == "internal" {
                    log.warning(.requestFailed, [.path: "\(request.path)", .message: "\(error)"])
                }
                return explained
            }, onChange: { [self] in note($0, $1, $2) }, onStop: { [events] in events.close() })
    }

    private func note(_ request: RouteRequest, _ route: Route, _ response: Response) {
        let action = "\(route.method) \(request.request.path)"
        let isSecret = route.pattern == "/v1/session"
        changes.add(
            ChangeLog.Entry(
                milliseconds: WallClock.milliseconds, client: request.client, action: action,
                detail: isSecret ? "" : String(decoding: request.body.prefix(300), as: UTF8.self),
                status: response.status))
        guard !route.pattern.hasPrefix("/v1/uploads") else { return }
        log.info(
            .changeRequested,
            [.message: "\(action)", .client: "\(request.client.name)", .status: .init(response.status)])
    }
}
