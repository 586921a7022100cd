internal import Digest
public import Jobs
public import Manifests
internal import RenderHost
internal import RenderJobs
public import Storage
internal import Synchronization

/// Renders single photos at once, without a broker and without a library that keeps them: for whoever waits for the picture.
/// Its render processes are those of a worker, in the same sandbox.
public final class DirectRenderer: Sendable {
    private let slots: [RenderSlot]
    private let settings: WorkerSettings
    private let setup: RenderSetup
    private let queue: SlotQueue

    /// A picture and how it was made.
    public struct RenderedPhoto: Sendable {
        /// The picture, in a file that has no name and is removed with its value.
        public let file: OpenFile
        /// What is known of it.
        public let rendition: Rendition
        /// How long the stages took.
        public let timings: [StageTiming]
    }

    /// Why there is no picture.
    public enum Problem: Error, Hashable, Sendable {
        /// So many wait already that it makes no sense to wait, too.
        case tooMany(waiting: Int)
        case failed(Failure)
    }

    /// Starts the render processes.
    ///
    /// - Parameters:
    ///   - settings: of a worker.
    ///   - roots: the folders of the sources, by name; `library` among them, where looks are read and pictures written for a moment.
    ///   - maxWaiting: jobs that may wait for a render process.
    ///   - scratch: path of a folder for the pictures, where the library's may be one that cannot be written.
    /// - Throws: `WorkerError.noThread`.
    public init(
        _ settings: WorkerSettings, roots: [RootName: String], maxWaiting: Int, scratch: String? = nil
    ) throws(WorkerError) {
        var settings = settings
        settings.render.reusesPhotos = false
        let pool = try RenderProcessPool(settings, library: roots[.library] ?? "")
        slots = pool.slots
        self.settings = settings
        setup = RenderSetup(
            options: RenderProcessOptions(
                settings: settings.render, memoryLimitBytes: settings.memoryLimitBytes, expectedLook: nil),
            roots: roots, scratch: scratch)
        queue = SlotQueue(count: slots.count, maxWaiting: maxWaiting)
        for slot in slots { slot.use(setup) }
    }

    /// Jobs that wait for a render process.
    public var waitingCount: Int { queue.waitingCount }
    /// True if no further job may wait.
    public var isFull: Bool { queue.isFull }

    /// Starts the processes, so that the first picture does not wait for them.
    public func warm() { for slot in slots { Task { try? await slot.warm() } } }

    /// Knows further folders of sources from now on.
    public func use(_ roots: [RootName: String]) {
        for slot in slots { slot.use(RenderSetup(options: setup.options, roots: roots, scratch: setup.scratch)) }
    }

    /// Renders a RAW, and gives out one of its frames. Waits for a render process if all are busy.
    ///
    /// - Throws: `Problem`.
    public func render(
        _ source: Source, _ recipe: Recipe, frame: UInt32 = 0
    ) async throws(Problem) -> RenderedPhoto {
        guard let number = await queue.take() else { throw .tooMany(waiting: queue.waitingCount) }
        defer { queue.giveBack(number) }
        let job = Job(batch: .random(), source: source, recipe: recipe, lane: .interactive, rendersAnew: true)
        let threads = queue.waitingCount > 0 ? 1 : 0
        let outcome = await slots[number].render(
            job, deadline: settings.deadline(rawBytes: source.raw.sizeBytes), threads: threads)
        guard case .replied(let reply, let files) = outcome, case .completed(let renditions) = reply.outcome,
            let rendition = renditions.first(where: { $0.frame == frame })
        else {
            if case .failed(let failure, _) = WorkerState.AttemptResult(outcome, of: job) { throw .failed(failure) }
            throw .failed(Failure(.internalError, "The server is ending."))
        }
        let path = LibraryLayout.photo(rendition.key).bytes
        guard let file = files.first(where: { $0.path == path }), let open = try? file.opened() else {
            throw .failed(Failure(.internalError, "The render process wrote no picture."))
        }
        return RenderedPhoto(file: open, rendition: rendition, timings: reply.timings)
    }

    /// Takes the picture that the camera embedded out of a RAW. Waits for a render process if all are busy.
    ///
    /// - Returns: a JPEG that programs show upright, in a file that has no name and is removed with its value; nil where the
    ///   RAW has none.
    /// - Throws: `Problem`.
    public func cameraPicture(
        _ size: CameraPictureSize, of raw: FileStamp
    ) async throws(Problem) -> OpenFile? {
        guard let number = await queue.take() else { throw .tooMany(waiting: queue.waitingCount) }
        defer { queue.giveBack(number) }
        // A job names a recipe. Nothing is developed by this one.
        guard let look = LookReference(name: "none", version: 1, digest: SHA256Value(of: [])) else {
            throw .failed(Failure(.internalError, "The job has no look."))
        }
        let job = Job(
            batch: .random(), source: Source(raw: raw, photoBase: raw.file.path.name), recipe: Recipe(look: look),
            lane: .interactive, rendersAnew: true)
        let (outcome, file) = await slots[number].cameraPicture(
            size, of: job, deadline: settings.deadline(rawBytes: raw.sizeBytes))
        guard case .replied(let reply, _) = outcome, case .completed = reply.outcome, let file else {
            if case .failed(let failure, _) = WorkerState.AttemptResult(outcome, of: job) { throw .failed(failure) }
            throw .failed(Failure(.internalError, "The server is ending."))
        }
        return file.facts.sizeBytes > 0 ? file : nil
    }

    /// Ends the processes. What is being rendered fails.
    public func stop() { for slot in slots { slot.abort() } }
}

/// Gives out the numbers of free slots, in the order of those who ask.
private final class SlotQueue: Sendable {
    private struct State {
        var free: [Int]
        var waiting: [CheckedContinuation<Int?, Never>] = []
    }

    private let state: Mutex<State>
    private let maxWaiting: Int

    init(count: Int, maxWaiting: Int) {
        state = Mutex(State(free: Array((0..<count).reversed())))
        self.maxWaiting = maxWaiting
    }

    var waitingCount: Int { state.withLock { $0.waiting.count } }
    var isFull: Bool { state.withLock { $0.free.isEmpty && $0.waiting.count >= maxWaiting } }

    /// Nil where too many wait already.
    func take() async -> Int? {
        await withCheckedContinuation { continuation in
            let number = state.withLock { state -> Int?? in
                if let free = state.free.popLast() { return .some(free) }
                guard state.waiting.count < maxWaiting else { return .some(nil) }
                state.waiting.append(continuation)
                return nil
            }
            if let number { continuation.resume(returning: number) }
        }
    }

    func giveBack(_ number: Int) {
        let next = state.withLock { state -> CheckedContinuation<Int?, Never>? in
            if state.waiting.isEmpty {
                state.free.append(number)
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume(returning: number)
    }
}
