internal import Concurrency
internal import Jobs
internal import Render
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
        var opened: [FileStamp: OpenFile] = [:]
        /// No further ones stay open.
        var isClosed = false
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
    /// A file that no render takes is closed: nobody can unmount a file system with open files.
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
                if let opened = keep(await thread.open(file, in: root), thread, file) { await close(file, opened) }
            }
            return true
        }
    }

    /// - Returns: which file is kept; nil for none. Whoever waits to close it must not hold it.
    private func keep(_ opened: OpenFile?, _ thread: AnnouncingThread, _ file: FileStamp) -> ObjectIdentifier? {
        announced.withLock { announced in
            announced.idle.append(thread)
            guard let opened, !announced.isClosed else { return nil }
            announced.opened[file] = opened
            return ObjectIdentifier(opened)
        }
    }

    /// Closes a file after a while, unless a render has taken it.
    private func close(_ file: FileStamp, _ opened: ObjectIdentifier) async {
        try? await Task.sleep(for: openTime)
        announced.withLock { announced in
            if announced.opened[file].map(ObjectIdentifier.init) == opened { announced.opened[file] = nil }
        }
    }

    /// A thread that has nothing to do; nil if none has, or if the file was announced.
    private func takeThread(for file: FileStamp) -> AnnouncingThread? {
        announced.withLock { announced in
            guard !announced.recent.contains(file), let thread = announced.idle.popLast() else { return nil }
            announced.recent = announced.recent.suffix(Self.maxRecent - 1) + [file]
            return thread
        }
    }

    /// The files of a source that are open, for its render.
    func takeFiles(of source: Source) -> [FileStamp: OpenFile] {
        announced.withLock { announced in
            let files = source.files.compactMap { file in announced.opened.removeValue(forKey: file).map { (file, $0) }
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
