package import Broker
internal import Clock
internal import Coordinator
internal import Digest
internal import Jobs
internal import JSON
internal import Library
internal import Manifests
package import Runs
internal import Storage
internal import Synchronization
package import Telemetry
internal import Web
internal import WebPage
package import WebService
package import Worker

/// A library behind a web page: everything that the page shows and does.
package final class ServedLibrary: Sendable {
    package let router: Router
    private let events: EventHub
    private let operations: any Operations
    /// Does the work here; nil for a cluster's page.
    package let owner: RunOwner?
    private let clock: OperationsClock
    private let intake: DropIntake
    private let renderer: DirectRenderer
    private let editor: PhotoEditor
    private let signal = WakeSignal()

    /// Opens the library.
    ///
    /// - Parameters:
    ///   - isNew: whether one is made where there is none. The folder of a mount that is missing is none.
    ///   - settings: of what renders on this machine.
    ///   - cluster: the broker of the cluster whose library it is; nil where this program does the work itself.
    ///   - recipes: makes recipes of what requests say.
    ///   - version: of this program.
    ///   - isReady: the caller has the library open already.
    /// - Throws: `LibraryError`, `StorageError`, `WorkerError`.
    package init(
        _ path: String, isNew: Bool, _ settings: WorkerSettings, cluster: (any Transport)?, recipes: any RecipeSettings,
        access: AccessControl, version: String, log: Logger, isReady: Bool = false
    ) async throws {
        if !isReady { try await cluster == nil ? Self.prepare(path, isNew: isNew) : Self.check(path) }
        let folder = RealPath.of(Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? path
        let root = try Root(path: folder)
        let events = EventHub()
        let readers = LibraryReaders(folder)
        let index = GalleryIndex()
        let facetCache = FacetCache(readers)
        let dismissed = try DismissedFailures(in: root)
        let onEnd = Mutex<(@Sendable (Manifest) -> Void)?>(nil)
        let watcher = OperationsObserver(events, library: folder) { manifest in
            dismissed.forget(manifest.job)
            index.photoCame()
            onEnd.withLock { $0 }?(manifest)
        }
        let owner = RunOwner(folder, settings, log: log, observer: watcher)
        let clusterOperations = cluster.map {
            ClusterOperations($0, watcher: watcher, readers: readers, folder: folder, events: events)
        }
        let operations: any Operations =
            clusterOperations
            ?? LibraryOperations(owner: owner, figures: watcher.figures, folder: folder, version: version)
        let drops = try DropStore(in: root)
        let uploads = try UploadStore(".rawmill/uploads", in: root)
        let changed: @Sendable (String?, [PhotoReviser.Change]) -> Void = { order, changes in
            index.forget()
            Task { await facetCache.forget() }
            events.send("library", Self.text(order, changes))
        }
        let intake = DropIntake(
            drops, uploads, in: root, recipes: recipes, operations: operations, readers: readers, events: events
        ) { changed(nil, []) }
        onEnd.withLock { $0 = { intake.ended($0) } }
        let uploadRoutes = UploadRoutes(
            uploads, at: "/v1/uploads", onCreate: { try intake.begin($0) },
            onComplete: { upload in
                do { try intake.complete(upload) } catch let error as StorageError { throw error } catch {
                    throw ServedErrors.explained(error)
                }
            }, onRemove: { intake.remove($0) })
        uploadRoutes.takeLeftovers()
        let renderer = try DirectRenderer(settings, roots: [.library: folder], maxWaiting: 32)
        renderer.warm()
        let raws = RawFileLocator(folder)
        let cameraPictures = CameraPictures(renderer)
        let previewer = EditPreviewer(
            renderer: renderer, store: EditStore(in: root), folder: folder, slots: settings.slots)
        let editor = PhotoEditor(operations, readers, folder: folder, previewer) { order, item in
            events.send("edit", EditJSON.event(order, item))
        } onShow: { order, changes, problems in
            for problem in problems { watcher.figures.notice(problem) }
            changed(order, changes)
        }
        clock = OperationsClock(operations, events: events, folder: folder)
        let changes = ChangeLog()
        let page = PageFiles()
        router = Router(
            Self.session(folder, access, version, cluster: clusterOperations)
                + NowRoutes(clock: clock, events: events).routes
                + BatchRoutes(operations: operations, events: events).routes
                + FailureRoutes(
                    operations: operations, dismissed: dismissed, events: events, attempts: watcher.attempts
                ).routes
                + WorkerRoutes(operations: operations).routes
                + EditRoutes(
                    editor: editor, operations: operations, readers: readers, folder: folder, recipes: recipes,
                    changed: changed
                ).routes
                + GalleryRoutes(readers: readers, index: index, facetCache: facetCache).routes
                + PhotoRoutes(readers: readers, raws: raws, edits: editor.store).routes
                + ObjectRoutes(
                    folder: folder, readers: readers, raws: raws, cameraPictures: cameraPictures, renderer: renderer
                ).routes
                + AlbumRoutes(operations: operations, readers: readers, folder: folder, log: log) { changed(nil, []) }
                .routes
                + LookRoutes(operations: operations, recipes: recipes).routes
                + uploadRoutes.routes
                + DropRoutes(
                    drops: drops, intake: intake, uploads: uploads, readers: readers, folder: folder, root: root,
                    recipes: recipes, cameraPictures: cameraPictures
                ).routes
                + RenderRoutes(renderer: renderer, readers: readers, raws: raws, root: root, recipes: recipes).routes
                + Self.changeLog(changes)
                + [.get("/v1/openapi.json") { page.interface(for: $0.request) }],
            access: access, page: { page.response(to: $0) },
            onError: { request, error in
                let explained = ServedErrors.explained(error)
                if explained.code == "internal" {
                    log.warning(.requestFailed, [.path: "\(request.path)", .message: "\(error)"])
                }
                return explained
            },
            onChange: { request, route, response in
                let action = "\(route.method) \(request.request.path)"
                let isSecret = route.pattern == "/v1/session"
                let detail = isSecret ? "" : String(decoding: request.body.prefix(300), as: UTF8.self)
                changes.add(
                    ChangeLog.Entry(
                        milliseconds: WallClock.milliseconds, client: request.client, action: action, detail: detail,
                        status: response.status))
                guard !route.pattern.hasPrefix("/v1/uploads") else { return }
                log.info(
                    .changeRequested,
                    [
                        .message: "\(action)", .client: "\(request.client.name)", .status: .init(response.status),
                    ])
            },
            onStop: { events.close() })
        self.events = events
        self.operations = operations
        self.owner = cluster == nil ? owner : nil
        self.intake = intake
        self.renderer = renderer
        self.editor = editor
    }

    /// Makes a library and a ledger of this version, which what only reads them cannot make.
    private static func prepare(_ path: String, isNew: Bool) async throws {
        do { _ = try LibraryStore(folder: path, mode: isNew ? .write : .change) } catch LibraryError.busy {
            // Another Rawmill works in it: then there is one.
        }
        if let lock = try? CoordinatorLock(library: path) {
            await (try Ledger.open(library: path, lock: lock.server)).close()
            withExtendedLifetime(lock) {}
        }
    }

    /// Its cataloguer makes a cluster's library.
    private static func check(_ path: String) throws { _ = try LibraryStore(folder: path, mode: .read) }

    /// More are not told one by one.
    private static let maxTold = 200

    private static func text(_ order: String?, _ changes: [PhotoReviser.Change]) -> String {
        JSONWriter.line { json in
            json.field("order", order)
            json.array("changes") { json in
                for change in changes.count <= maxTold ? changes : [] {
                    json.object { json in
                        json.field("before", EditRoutes.key(change.before))
                        json.field("after", EditRoutes.key(change.after))
                    }
                }
            }
        }
    }

    /// Ends `serve`.
    package func end() { signal.signal() }

    /// Serves until `end`.
    ///
    /// - Parameter works: false where another run does the work meanwhile.
    package func serve(works isWorking: Bool) async {
        await withTaskGroup(of: Void.self) { group in
            if isWorking { group.addTask { await self.operations.work() } }
            group.addTask { await self.clock.run() }
            group.addTask { await self.intake.work() }
            group.addTask { await self.editor.resume() }
            // Once is enough, also before this began.
            await signal.wait(after: 0, limit: nil)
            await operations.stop()
            intake.stop()
            group.cancelAll()
        }
    }

    package func close() async { renderer.stop() }

    // MARK: Small routes

    private static func session(
        _ folder: String, _ access: AccessControl, _ version: String, cluster: ClusterOperations?
    ) -> [Route] {
        let name = folder.split(separator: "/").last.map(String.init) ?? folder
        return [
            .get("/v1/session") { request in
                .json { json in
                    json.field("version", version)
                    json.field("library", name)
                    json.field("role", request.client.role.rawValue)
                    json.field("mode", cluster != nil ? "cluster" : "library")
                    json.field("canConvert", true)
                    json.field("canEdit", cluster?.canChangeLibrary ?? true)
                    json.field("needsToken", access.needsToken)
                    json.array("rawExtensions") { json in
                        for name in RawExtensions.all { json.element(.text(name)) }
                    }
                    json.array("companionExtensions") { json in
                        for name in CompanionName.extensions.sorted() { json.element(.text(name)) }
                    }
                }
            },
            .open("POST", "/v1/session") { try signIn($0, access) },
        ]
    }

    /// Lets a page in: its browser keeps the token, out of reach of scripts.
    private static func signIn(_ request: RouteRequest, _ access: AccessControl) throws(ServiceError) -> Response {
        guard let token = try request.json()["token"]?.text, access.client(token: token) != nil,
            token.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !",;\\\"".utf8.contains($0) })
        else { throw ServiceError(401, "wrong-token", "That is none of the tokens that are let in.") }
        let secure = access.isEncrypted ? "; Secure" : ""
        return Response(
            status: 204, contentType: "application/json", body: [],
            headers: [
                .init(
                    "Set-Cookie",
                    "\(AccessControl.cookie)=\(token); Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict\(secure)")
            ])
    }

    private static func changeLog(_ changes: ChangeLog) -> [Route] {
        [
            .get("/v1/audit", .admin) { _ in
                .json { json in
                    json.array("entries") { json in
                        for entry in changes.newest {
                            json.object { json in
                                json.field("time", WallClock.text(milliseconds: entry.milliseconds))
                                json.field("who", entry.client.name)
                                json.field("role", entry.client.role.rawValue)
                                json.field("action", entry.action)
                                json.field("detail", entry.detail)
                                json.field("status", entry.status)
                            }
                        }
                    }
                }
            }
        ]
    }
}
