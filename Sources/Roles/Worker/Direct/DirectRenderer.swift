internal import Digest
public import Jobs
public import Manifests
internal import RenderHost
internal import RenderJobs
public import Storage
internal import Synchronization

/// Renders single photos immediately, without a broker and without storing them in a library, for clients that wait for
/// the picture. Its render processes are those of a worker, in the same sandbox.
public final class DirectRenderer: Sendable {
    private let slots: [RenderSlot]
    private let settings: WorkerSettings
    private let setup: RenderSetup
    private let queue: SlotQueue

    /// A picture and how it was made.
    public struct RenderedPhoto: Sendable {
        /// The picture, in an unnamed file that is removed with its value.
        public let file: OpenFile
        /// The picture's description.
        public let rendition: Rendition
        /// Durations of the stages.
        public let timings: [StageTiming]
    }

    /// Why there is no picture.
    public enum Problem: Error, Hashable, Sendable {
        /// The queue is full.
        case tooMany(waiting: Int)
        case failed(Failure)
    }

    /// Starts the render processes.
    ///
    /// - Parameters:
    ///   - roots: the folders of the sources, by name. `library` is the folder of the looks and of temporary pictures.
    ///   - maxWaiting: maximum number of jobs that wait for a render process.
    ///   - scratch: folder for temporary renders when the library may be read-only.
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

    /// Jobs waiting for a render process.
    public var waitingCount: Int { queue.waitingCount }
    /// Whether no further job may wait.
    public var isFull: Bool { queue.isFull }

    /// Starts the processes, so that the first picture does not wait for them.
    public func warm() { for slot in slots { Task { try? await slot.warm() } } }

    /// Replaces the folders of the sources.
    public func use(_ roots: [RootName: String]) {
        for slot in slots { slot.use(RenderSetup(options: setup.options, roots: roots, scratch: setup.scratch)) }
    }

    /// Renders one frame of a RAW. Waits for a render process if all are busy.
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
            throw .failed(Failure(.internalError, "The server is shutting down."))
        }
        let path = LibraryLayout.photo(rendition.key).bytes
        guard let file = files.first(where: { $0.path == path }), let open = try? file.opened() else {
            throw .failed(Failure(.internalError, "The render process did not write a picture."))
        }
        return RenderedPhoto(file: open, rendition: rendition, timings: reply.timings)
    }

    /// Extracts the camera's embedded picture from a RAW: an upright JPEG, in an unnamed file that is removed with its
    /// value; nil if the RAW has none. Waits for a render process if all are busy.
    public func cameraPicture(
        _ size: CameraPictureSize, of raw: FileStamp
    ) async throws(Problem) -> OpenFile? {
        guard let number = await queue.take() else { throw .tooMany(waiting: queue.waitingCount) }
        defer { queue.giveBack(number) }
        // A job requires a recipe, although nothing is developed here.
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
            throw .failed(Failure(.internalError, "The server is shutting down."))
        }
        return file.facts.sizeBytes > 0 ? file : nil
    }

    /// Ends the processes. Renders in progress fail.
    public func stop() { for slot in slots { slot.abort() } }
}

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
