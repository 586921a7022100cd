package import Broker
internal import Coordinator
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
package import Runs
internal import Storage
package import Telemetry
internal import WebPage
package import WebService
package import Worker

/// A library behind a web page, with all data and actions of the page.
package final class ServedLibrary: Sendable {
    package let router: Router
    /// Owns the runs on this machine; nil for a cluster's page.
    package let owner: RunOwner?
    private let operations: any Operations
    private let clock: OperationsClock
    private let intake: DropIntake
    private let renderer: DirectRenderer
    private let editor: PhotoEditor
    private let signal = WakeSignal()

    /// Opens the library.
    ///
    /// - Parameters:
    ///   - isNew: creates a missing library. Otherwise a missing one is refused, as in the folder of a missing mount.
    ///   - settings: the settings of the renders on this machine.
    ///   - cluster: the broker of the library's cluster; nil if this program does the work.
    ///   - recipes: makes the recipes that requests describe.
    ///   - version: this program's version.
    ///   - isReady: true if a run of the caller has the library open.
    /// - Throws: `LibraryError`, `StorageError`, `WorkerError`.
    package init(
        _ path: String, isNew: Bool, _ settings: WorkerSettings, cluster: (any Transport)?, recipes: any RecipeSettings,
        access: AccessControl, version: String, log: Logger, isReady: Bool = false
    ) async throws {
        if !isReady { try await cluster == nil ? Self.prepare(path, isNew: isNew) : Self.check(path) }
        let shared = try SharedLibrary(path, recipes: recipes, log: log)
        let folder = shared.folder
        let observer = shared.observer()
        let operations: any Operations
        if let cluster {
            owner = nil
            operations = ClusterOperations(
                cluster, watcher: observer, readers: shared.readers, folder: folder, events: shared.events)
        } else {
            let owner = RunOwner(folder, isReady ? .page : .service, settings, log: log, observer: observer)
            self.owner = owner
            operations = LibraryOperations(owner: owner, figures: observer.figures, folder: folder, version: version)
        }
        self.operations = operations
        clock = OperationsClock(operations, events: shared.events, folder: folder)
        renderer = try DirectRenderer(settings, roots: [.library: folder], maxWaiting: 32)
        renderer.warm()
        intake = try shared.intake(operations)
        editor = shared.editor(operations, renderer, slots: settings.slots, observer.figures)
        let session = SessionRoutes(
            folder: folder, access: access, version: version, cluster: operations as? ClusterOperations)
        router = shared.router(
            session.routes + NowRoutes(clock: clock, events: shared.events).routes
                + shared.routes(of: operations, attempts: observer.attempts, intake, editor, renderer), access)
    }

    /// Creates or upgrades library and ledger, because readers cannot.
    private static func prepare(_ path: String, isNew: Bool) async throws {
        // A library in use by another Rawmill exists and is up to date.
        do { _ = try LibraryStore(folder: path, mode: isNew ? .write : .change) } catch LibraryError.busy {}
        if let lock = try? CoordinatorLock(library: path) {
            await (try Ledger.open(library: path, lock: lock.server)).close()
            withExtendedLifetime(lock) {}
        }
    }

    /// A cluster's library is created by its cataloguer.
    private static func check(_ path: String) throws { _ = try LibraryStore(folder: path, mode: .read) }

    package func end() { signal.signal() }

    /// Serves until `end`, even if `end` was called before.
    ///
    /// - Parameter works: false if a command does the work of the run.
    package func serve(works isWorking: Bool) async {
        await withTaskGroup(of: Void.self) { group in
            if isWorking { group.addTask { await self.operations.work() } }
            group.addTask { await self.clock.run() }
            group.addTask { await self.intake.work() }
            group.addTask { await self.editor.resume() }
            await signal.wait(after: 0, limit: nil)
            await operations.stop()
            intake.stop()
            group.cancelAll()
        }
    }

    package func close() async { renderer.stop() }
}
