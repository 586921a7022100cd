internal import Concurrency
internal import Jobs
internal import Manifests
internal import Storage
internal import Synchronization

/// Makes rendered files durable and names them, for all jobs waiting at that moment together: many photos wait for the
/// disk only as often as one.
///
/// A photo's manifest is published afterwards, so a reported photo survives a power cut. A worker that dies before
/// leaves no files, and its deliveries come again.
actor RenditionNaming {
    private nonisolated let executor: ThreadExecutor
    /// Unowned, but the value keeps the executor as long as it lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private nonisolated let library: Mutex<Root>
    private nonisolated let waiting = Mutex<[Request]>([])

    enum Result: Hashable, Sendable {
        case named
        /// A file with other bytes has the photo's name, and keeps it.
        case taken
        case failed(StorageError)
    }

    private final class Request: Sendable {
        let files: [UnnamedFile]
        let result = Mutex<Result?>(nil)

        init(_ files: [UnnamedFile]) { self.files = files }
    }

    init(library: Root) {
        self.library = Mutex(library)
        executor = ThreadExecutor(name: "rendition-naming")
    }

    /// Opens the library's folder again after its storage came back, perhaps as another mount.
    nonisolated func reopen(_ library: Root) { self.library.withLock { $0 = library } }

    /// Returns when the files are durable under their names, or have failed.
    nonisolated func name(_ files: [UnnamedFile]) async -> Result {
        if files.isEmpty { return .named }
        let request = Request(files)
        waiting.withLock { $0.append(request) }
        await name(request)
        return request.result.withLock { $0 } ?? .failed(StorageError(.unavailable, "name", files[0].path))
    }

    /// Names the files of all waiting requests. A request already handled by an earlier call returns at once.
    private func name(_ request: Request) {
        if request.result.withLock({ $0 }) != nil { return }
        let group = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        let root = library.withLock { $0 }
        do throws(StorageError) {
            var results = try root.publish(group.flatMap(\.files))[...]
            for request in group {
                let own = results.prefix(request.files.count)
                results = results.dropFirst(request.files.count)
                request.result.withLock { $0 = Self.result(own) }
            }
        } catch {
            for request in group { request.result.withLock { $0 = .failed(error) } }
        }
    }

    private static func result(_ results: some Sequence<Swift.Result<Publication, StorageError>>) -> Result {
        for result in results {
            switch result {
            case .failure(let error): return .failed(error)
            case .success(let publication): if publication.outcome == .kept { return .taken }
            }
        }
        return .named
    }
}
