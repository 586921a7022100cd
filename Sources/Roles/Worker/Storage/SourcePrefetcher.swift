internal import Concurrency
internal import Jobs
internal import RenderJobs
internal import Storage
internal import Synchronization

/// Opens and reads files that are rendered next, during other renders: a hard disk or a network server is slow per
/// request, but serves several in the time of one.
///
/// The kernel keeps them in its page cache for the render. Files that cannot be read are left to the render, which
/// reports why.
final class SourcePrefetcher: Sendable {
    private struct Prefetched {
        /// Last prefetched files, the oldest first.
        var recent: [FileStamp] = []
        /// Those that no render has taken yet.
        var opened: [FileStamp: Opened] = [:]
        /// A task is running that closes files after `openTime`.
        var isWatched = false
        var isClosed = false
        /// Threads without work; unresponsive storage holds the others.
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

    private static let maxThreads = 16
    private static let maxRecent = 64
    /// Files that no render takes are closed after this time, or at most twice as long: open files prevent unmounting.
    private let openTime: Duration

    init(_ roots: Roots, _ settings: WorkerSettings, openTime: Duration = .seconds(10)) {
        self.openTime = openTime
        maxBytes = UInt64(clamping: settings.render.within(memoryBytes: settings.memoryLimitBytes).fileBytes)
        // For current and next jobs; fewer, down to none, if the system has no more threads.
        let threads = (0..<min(3 * settings.slots, Self.maxThreads)).compactMap { _ in PrefetchThread() }
        prefetched = Mutex(Prefetched(idle: threads))
        paths = Dictionary(uniqueKeysWithValues: roots.names.compactMap { name in roots[name].map { (name, $0.path) } })
    }

    /// Starts to prefetch files of sources that were not prefetched before, as far as there are threads, and returns
    /// these files.
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

    /// Returns true if the caller must run `closeInTime`, because no task does.
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

    /// An idle thread; nil if there is none, or if the file was prefetched.
    private func takeThread(for file: FileStamp) -> PrefetchThread? {
        prefetched.withLock { prefetched in
            guard !prefetched.recent.contains(file), let thread = prefetched.idle.popLast() else { return nil }
            // No render takes the files of cancelled jobs: they are closed when they are no longer recent.
            for old in prefetched.recent.dropLast(Self.maxRecent - 1) { prefetched.opened[old] = nil }
            prefetched.recent = prefetched.recent.suffix(Self.maxRecent - 1) + [file]
            return thread
        }
    }

    func takeFiles(of source: Source) -> [FileStamp: OpenFile] {
        prefetched.withLock { prefetched in
            let files = source.files.compactMap { stamp in
                prefetched.opened.removeValue(forKey: stamp).map { (stamp, $0.file) }
            }
            return Dictionary(files) { first, _ in first }
        }
    }

    var openFileCount: Int { prefetched.withLock { $0.opened.count } }

    func closeFiles() {
        prefetched.withLock { prefetched in
            prefetched.isClosed = true
            prefetched.opened = [:]
        }
    }
}

private actor PrefetchThread {
    private let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the executor as long as it lives.
        unsafe executor.asUnownedSerialExecutor()
    }

    init?() {
        guard let executor = ThreadExecutor(ifPossible: "source-prefetcher") else { return nil }
        self.executor = executor
    }

    /// Opens the root by its path, because it may have been mounted since.
    func open(_ file: FileStamp, in root: String) -> OpenFile? {
        guard let folder = try? Root(path: root), let opened = try? OpenFile(file.file.path.bytes, in: folder),
            opened.facts.sizeBytes == file.sizeBytes
        else { return nil }
        opened.announce()
        return opened
    }
}
