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
final class SourceAnnouncer: Sendable {
    private struct Announced {
        /// Those that were announced last, oldest first.
        var recent: [FileStamp] = []
        /// Those of them that no render has taken yet.
        var opened: [FileStamp: Opened] = [:]
        /// A task runs that closes what is open for too long.
        var isWatched = false
        /// No further ones stay open.
        var isClosed = false
        /// A storage that does not answer holds the others.
        var idle: [AnnouncingThread]
    }

    private struct Opened {
        let file: OpenFile
        let time: ContinuousClock.Instant
    }

    private let announced: Mutex<Announced>
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
        let threads = (0..<min(3 * settings.slots, Self.maxThreads)).compactMap { _ in AnnouncingThread() }
        announced = Mutex(Announced(idle: threads))
        paths = Dictionary(uniqueKeysWithValues: roots.names.compactMap { name in roots[name].map { (name, $0.path) } })
    }

    /// Announces the files of sources that were not announced before, as far as there are threads, and returns at once.
    ///
    /// - Returns: those that are announced now.
    @discardableResult
    func announce(_ sources: [Source]) -> [FileStamp] {
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
    private func keep(_ opened: OpenFile?, _ thread: AnnouncingThread, _ file: FileStamp) -> Bool {
        announced.withLock { announced in
            announced.idle.append(thread)
            guard let opened, !announced.isClosed, announced.recent.contains(file) else { return false }
            announced.opened[file] = Opened(file: opened, time: .now)
            defer { announced.isWatched = true }
            return !announced.isWatched
        }
    }

    /// Closes files that no render took, until none is open.
    private func closeInTime() async {
        var isLast = false
        while !isLast {
            try? await Task.sleep(for: openTime)
            isLast = announced.withLock { announced in
                let limit = ContinuousClock.now - openTime
                announced.opened = announced.opened.filter { $0.value.time > limit }
                announced.isWatched = !announced.opened.isEmpty
                return !announced.isWatched
            }
        }
    }

    /// A thread that has nothing to do; nil if none has, or if the file was announced.
    private func takeThread(for file: FileStamp) -> AnnouncingThread? {
        announced.withLock { announced in
            guard !announced.recent.contains(file), let thread = announced.idle.popLast() else { return nil }
            // No render takes the files of cancelled jobs: they are closed when they are no longer among the recent ones.
            for old in announced.recent.dropLast(Self.maxRecent - 1) { announced.opened[old] = nil }
            announced.recent = announced.recent.suffix(Self.maxRecent - 1) + [file]
            return thread
        }
    }

    /// The files of a source that are open, for its render.
    func takeFiles(of source: Source) -> [FileStamp: OpenFile] {
        announced.withLock { announced in
            let files = source.files.compactMap { stamp in
                announced.opened.removeValue(forKey: stamp).map { (stamp, $0.file) }
            }
            return Dictionary(files) { first, _ in first }
        }
    }

    /// How many files are open for renders.
    var openFileCount: Int { announced.withLock { $0.opened.count } }

    /// Closes what no render has taken, for good.
    func closeFiles() {
        announced.withLock { announced in
            announced.isClosed = true
            announced.opened = [:]
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

    /// - Parameter root: the path of the file's root, which is opened anew: it may have been mounted since.
    func open(_ file: FileStamp, in root: String) -> OpenFile? {
        guard let folder = try? Root(path: root), let opened = try? OpenFile(file.file.path.bytes, in: folder),
            opened.facts.sizeBytes == file.sizeBytes
        else { return nil }
        opened.announce()
        return opened
    }
}
