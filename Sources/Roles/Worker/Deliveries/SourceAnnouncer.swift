internal import Concurrency
internal import Jobs
internal import Render
internal import Storage
internal import Synchronization

/// Has the RAWs read that are rendered next, while others are being rendered: a disk that spins or a server behind a network
/// takes its time with each file, and finds several in the time of one.
///
/// The kernel reads them into its own memory, from which a render takes them then. What cannot be read is left to the render,
/// which says why.
final class SourceAnnouncer: Sendable {
    private struct Announced {
        /// Those that were announced last, oldest first.
        var recent: [FileStamp] = []
        /// A storage that does not answer holds the others.
        var idle: [AnnouncingThread]
    }

    private let announced: Mutex<Announced>
    private let paths: [String: String]
    /// Larger files are refused before they are read.
    private let maxBytes: UInt64

    /// No more files are asked for at once.
    private static let maxThreads = 16
    private static let maxRecent = 64

    /// - Parameters:
    ///   - roots: the folders of the sources by their names.
    ///   - settings: of the worker that renders them.
    init(_ roots: Roots, _ settings: WorkerSettings) {
        maxBytes = UInt64(clamping: settings.render.within(memoryBytes: settings.memoryLimitBytes).fileBytes)
        // For what begins and for what comes next; fewer where the system has no more, down to none.
        let threads = (0..<min(2 * settings.slots, Self.maxThreads)).compactMap { _ in AnnouncingThread() }
        announced = Mutex(Announced(idle: threads))
        paths = Dictionary(uniqueKeysWithValues: roots.names.compactMap { name in roots[name].map { (name, $0.path) } })
    }

    /// Announces RAWs that were not announced before, as far as there are threads, and returns at once.
    ///
    /// - Returns: those that are announced now.
    @discardableResult
    func announce(_ sources: [FileStamp]) -> [FileStamp] {
        sources.filter { source in
            guard source.sizeBytes <= maxBytes, let root = paths[source.file.root.text],
                let thread = take(for: source)
            else { return false }
            Task {
                await thread.announce(source, in: root)
                announced.withLock { $0.idle.append(thread) }
            }
            return true
        }
    }

    /// A thread that has nothing to do; nil if none has, or if the source was announced.
    private func take(for source: FileStamp) -> AnnouncingThread? {
        announced.withLock { announced in
            guard !announced.recent.contains(source), let thread = announced.idle.popLast() else { return nil }
            announced.recent = announced.recent.suffix(Self.maxRecent - 1) + [source]
            return thread
        }
    }
}

/// A thread that a slow disk may hold.
private actor AnnouncingThread {
    private let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the executor as long as it lives.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// - Returns: nil if the system has no thread left.
    init?() {
        guard let executor = ThreadExecutor(ifPossible: "source-announcer") else { return nil }
        self.executor = executor
    }

    /// - Parameter root: the path of the source's root, which is opened anew: it may have been mounted since.
    func announce(_ source: FileStamp, in root: String) {
        guard let folder = try? Root(path: root) else { return }
        folder.announce(source.file.path.bytes, byteCount: Int(clamping: source.sizeBytes))
    }
}
