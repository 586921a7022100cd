internal import Concurrency
internal import Jobs
internal import Manifests
internal import Storage
internal import Synchronization

/// Makes rendered files durable and gives them their names, for all jobs that wait for it at the same moment at once: the
/// disk is waited for as often for many photos as for one.
///
/// A photo's manifest comes after that, so a photo that was reported survives a power cut. A worker that dies before leaves
/// no trace of its files, and the jobs' deliveries come again.
actor RenditionNaming {
    private nonisolated let executor: ThreadExecutor
    /// Unowned, but the value keeps the executor as long as it lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private nonisolated let library: Mutex<Root>
    private nonisolated let waiting = Mutex<[Request]>([])

    /// What became of the files of one job.
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

    /// Uses the library's folder anew: its storage came back, perhaps as another mount.
    nonisolated func reopen(_ library: Root) { self.library.withLock { $0 = library } }

    /// Returns when the files are durable under their names, or cannot be.
    nonisolated func name(_ files: [UnnamedFile]) async -> Result {
        if files.isEmpty { return .named }
        let request = Request(files)
        waiting.withLock { $0.append(request) }
        await name(request)
        return request.result.withLock { $0 } ?? .failed(StorageError(.unavailable, "name", files[0].path))
    }

    /// Names the files of all that wait. One that an earlier call has taken along does not wait for those after it.
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
