internal import Concurrency
internal import Jobs
internal import RenderJobs
internal import Storage
internal import Synchronization

/// Has the files opened and read that are rendered next, while others are being rendered: a disk that spins or a server behind
/// a network takes its time with each request, and answers several in the time of one.
///
/// The kernel reads them into its own memory, from which a render takes them then. What cannot be opened or read is left to the
/// render, which says why.
final class SourcePrefetcher: Sendable {
    private struct Prefetched {
        /// Those that were prefetched last, oldest first.
        var recent: [FileStamp] = []
        /// Those of them that no render has taken yet.
        var opened: [FileStamp: Opened] = [:]
        /// A task runs that closes what is open for too long.
        var isWatched = false
        /// No further ones stay open.
        var isClosed = false
        /// A storage that does not answer holds the others.
        var idle: [PrefetchThread]
    }

    private struct Opened {
        let file: OpenFile
        let time: ContinuousClock.Instant
    }

    private let prefetched: Mutex<Prefetched>
    private let paths: [String: String]
    /// Larger files are refused before they are read.
    private let maxBytes: UInt64

    /// No more files are asked for at once.
    private static let maxThreads = 16
    private static let maxRecent = 64
    /// Files that no render takes are closed after this time, at the latest after twice as long: a file system with open files
    /// cannot be unmounted.
    private let openTime: Duration

    /// - Parameters:
    ///   - roots: the folders of the sources by their names.
    ///   - settings: of the worker that renders them.
    ///   - openTime: how long a file stays open for a render.
    init(_ roots: Roots, _ settings: WorkerSettings, openTime: Duration = .seconds(10)) {
        self.openTime = openTime
        maxBytes = UInt64(clamping: settings.render.within(memoryBytes: settings.memoryLimitBytes).fileBytes)
        // For what begins and for what comes next; fewer where the system has no more, down to none.
        let threads = (0..<min(3 * settings.slots, Self.maxThreads)).compactMap { _ in PrefetchThread() }
        prefetched = Mutex(Prefetched(idle: threads))
        paths = Dictionary(uniqueKeysWithValues: roots.names.compactMap { name in roots[name].map { (name, $0.path) } })
    }

    /// Prefetches the files of sources that were not prefetched before, as far as there are threads, and returns at once.
    ///
    /// - Returns: those that are prefetched now.
    @discardableResult
    func prefetch(_ sources: [Source]) -> [FileStamp] {
        sources.flatMap(\.files).filter { file in
            guard file.sizeBytes <= maxBytes, let root = paths[file.file.root.text], let thread = takeThread(for: file)
            else { return false }
            Task {
                if keep(await thread.open(file, in: root), thread, file) { await closeInTime() }
            }
            return true
        }
    }

    /// - Returns: true if the caller has to run `closeInTime`, because no task does.
    private func keep(_ opened: OpenFile?, _ thread: PrefetchThread, _ file: FileStamp) -> Bool {
        prefetched.withLock { prefetched in
            prefetched.idle.append(thread)
            guard let opened, !prefetched.isClosed, prefetched.recent.contains(file) else { return false }
            prefetched.opened[file] = Opened(file: opened, time: .now)
            defer { prefetched.isWatched = true }
            return !prefetched.isWatched
        }
    }

    /// Closes files that no render took, until none is open.
    private func closeInTime() async {
        var isLast = false
        while !isLast {
            try? await Task.sleep(for: openTime)
            isLast = prefetched.withLock { prefetched in
                let limit = ContinuousClock.now - openTime
                prefetched.opened = prefetched.opened.filter { $0.value.time > limit }
                prefetched.isWatched = !prefetched.opened.isEmpty
                return !prefetched.isWatched
            }
        }
    }

    /// A thread that has nothing to do; nil if none has, or if the file was prefetched.
    private func takeThread(for file: FileStamp) -> PrefetchThread? {
        prefetched.withLock { prefetched in
            guard !prefetched.recent.contains(file), let thread = prefetched.idle.popLast() else { return nil }
            // No render takes the files of cancelled jobs: they are closed when they are no longer among the recent ones.
            for old in prefetched.recent.dropLast(Self.maxRecent - 1) { prefetched.opened[old] = nil }
            prefetched.recent = prefetched.recent.suffix(Self.maxRecent - 1) + [file]
            return thread
        }
    }

    /// The files of a source that are open, for its render.
    func takeFiles(of source: Source) -> [FileStamp: OpenFile] {
        prefetched.withLock { prefetched in
            let files = source.files.compactMap { stamp in
                prefetched.opened.removeValue(forKey: stamp).map { (stamp, $0.file) }
            }
            return Dictionary(files) { first, _ in first }
        }
    }

    /// How many files are open for renders.
    var openFileCount: Int { prefetched.withLock { $0.opened.count } }

    /// Closes what no render has taken, for good.
    func closeFiles() {
        prefetched.withLock { prefetched in
            prefetched.isClosed = true
            prefetched.opened = [:]
        }
    }
}

/// A thread that a slow disk may hold.
private actor PrefetchThread {
    private let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the executor as long as it lives.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// - Returns: nil if the system has no thread left.
    init?() {
        guard let executor = ThreadExecutor(ifPossible: "source-prefetcher") else { return nil }
        self.executor = executor
    }

    /// - Parameter root: the path of the file's root, which is opened anew: it may have been mounted since.
    func open(_ file: FileStamp, in root: String) -> OpenFile? {
        guard let folder = try? Root(path: root), let opened = try? OpenFile(file.file.path.bytes, in: folder),
            opened.facts.sizeBytes == file.sizeBytes
        else { return nil }
        opened.announce()
        return opened
    }
}
