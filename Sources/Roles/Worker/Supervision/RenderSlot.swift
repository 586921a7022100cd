internal import Concurrency
internal import Glibc
internal import Jobs
internal import Manifests
internal import Processes
internal import Records
internal import RenderHost
internal import RenderJobs
internal import Storage
internal import Synchronization

enum RenderOutcome: Hashable, Sendable {
    /// With files that have no names yet.
    case replied(RenderReply, [UnnamedFile])
    /// The deadline passed. The process was computing if it used the processor for at least half of that time.
    /// Otherwise it hangs, or waits for a disk or a processor.
    case timedOut(Duration, wasComputing: Bool)
    case outOfMemory(residentBytes: UInt64)
    case died(ProcessEnd)
    case aborted
    case noProcess(HostedProcessError)
    /// Its files cannot be opened, so it was not started.
    case refused(Failure)
}

struct RenderProcessLaunch: Sendable {
    let program: String
    /// Path of the library's folder, for the list of processes.
    let library: String
    let inheritsStandardError: Bool
    let warmUpLimit: Duration
}

struct RenderSetup: Sendable {
    let options: RenderProcessOptions
    let roots: [RootName: String]
    /// Folder for temporary renders when the library may be read-only; nil otherwise.
    var scratch: String?

    fileprivate func openScratch() throws(HostedProcessError) -> Root? {
        guard let scratch else { return nil }
        do throws(StorageError) { return try Root(path: scratch) } catch {
            throw HostedProcessError(description: "\(error)")
        }
    }

    /// Opens the folders as they are now: their storage may have come back, perhaps as another mount.
    fileprivate func openRoots() throws(HostedProcessError) -> Roots {
        var opened: [String: Root] = [:]
        for (name, path) in roots {
            do throws(StorageError) { opened[name.text] = try Root(path: path) } catch {
                throw HostedProcessError(description: "\(error)")
            }
        }
        return Roots(opened)
    }

    /// The table of the expected look. The first job reports any error in it.
    fileprivate func lookTable(_ roots: Roots) -> OpenFile? {
        guard let look = options.expectedLook, let library = roots[RootName.library.text] else { return nil }
        return (try? RecipeFiles.lookTable(look, in: library)) ?? nil
    }
}

/// One render process at a time, and the thread that waits for it. The kernel kills a render process when the thread
/// that started it ends, so this thread lives as long as the slot. A process that failed a job is replaced.
actor RenderSlot {
    nonisolated let number: Int
    /// Whether its process is warmed before there is a job; otherwise its first job starts it.
    nonisolated let isWarmInAdvance: Bool
    private nonisolated let executor: ThreadExecutor
    /// Unowned, but the slot keeps the executor as long as it lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let launch: RenderProcessLaunch
    private nonisolated let setup = Mutex<RenderSetup?>(nil)
    private var roots = Roots([:])
    private var scratch: Root?
    /// The RAW of the last job: the next one often is the same photo with another look.
    private var hashed: HashedSource?
    private var starting: HostedProcess?
    private var process: WarmRenderProcess?
    private nonisolated let killHandle = ChildProcess.KillHandle()
    private nonisolated let isAborted = Atomic(false)

    init(number: Int, launch: RenderProcessLaunch, isWarmInAdvance: Bool = true) throws(WorkerError) {
        self.number = number
        self.isWarmInAdvance = isWarmInAdvance
        self.launch = launch
        guard let executor = ThreadExecutor(ifPossible: "render-slot") else { throw .noThread }
        self.executor = executor
    }

    /// Sets the options of the next process. Required before the first one.
    nonisolated func use(_ setup: RenderSetup) { self.setup.withLock { $0 = setup } }

    /// Starts a process if there is none, without waiting until it is warm.
    func load() throws(HostedProcessError) {
        if process != nil || starting != nil { return }
        if isAborted.load(ordering: .acquiring) { throw HostedProcessError(description: "the worker is shutting down") }
        starting = try HostedProcess(
            program: launch.program, arguments: RenderProcess.arguments(parent: getpid(), library: launch.library),
            inheritsStandardError: launch.inheritsStandardError, killHandle: killHandle)
    }

    /// Starts a process if there is none, and returns when it is warm.
    func warm() throws(HostedProcessError) {
        if process != nil { return }
        try load()
        guard let started = starting.take(), let setup = setup.withLock({ $0 }) else {
            throw HostedProcessError(description: "it has no options")
        }
        let roots = try setup.openRoots()
        scratch = try setup.openScratch()
        process = try WarmRenderProcess(
            started, setup.options, lookTable: setup.lookTable(roots), limit: launch.warmUpLimit)
        self.roots = roots
    }

    /// Renders one job. Returns within a tenth of a second of the deadline at the latest.
    ///
    /// - Parameters:
    ///   - threads: number of threads; 0 for that of the options.
    ///   - opened: the source's files that are already open.
    ///   - lock: taken for the job's photo; nil if no other job can write it.
    ///   - onLongRender: called once when the render has taken a second.
    func render(
        _ job: Job, deadline: Duration, threads: Int = 0, opened: [FileStamp: OpenFile] = [:], lock: PhotoLock? = nil,
        onLongRender: () -> Void = {}
    ) -> RenderOutcome {
        run(
            job, deadline, threads: threads, cameraPicture: nil, opened: opened, lock: lock, onLongRender: onLongRender)
    }

    /// Extracts the camera's own picture from a job's RAW. The picture's file is empty if the RAW has none.
    func cameraPicture(
        _ size: CameraPictureSize, of job: Job, deadline: Duration
    ) -> (RenderOutcome, OpenFile?) {
        do throws(HostedProcessError) { try warm() } catch { return (unlessAborted(.noProcess(error)), nil) }
        do throws(StorageError) {
            guard let library = roots[RootName.library.text] else {
                return (.refused(Failure(.unknownRoot, "The library's folder is missing among the roots.")), nil)
            }
            let blank = try BlankFile(for: Array("camera.jpg".utf8), in: library)
            let outcome = run(job, deadline, threads: 1, cameraPicture: (size, blank)) {}
            return (outcome, try blank.opened())
        } catch {
            return (.refused(Failure(library: error)), nil)
        }
    }

    private func run(
        _ job: Job, _ deadline: Duration, threads: Int, cameraPicture: (size: CameraPictureSize, blank: BlankFile)?,
        opened: [FileStamp: OpenFile] = [:], lock: PhotoLock? = nil, onLongRender: () -> Void
    ) -> RenderOutcome {
        do throws(HostedProcessError) { try warm() } catch { return unlessAborted(.noProcess(error)) }
        let files: JobFiles
        do throws(Failure) { files = try openFiles(of: job, opened) } catch { return .refused(error) }
        defer { if cameraPicture == nil { hashed = files.hashed } }
        guard var running = process.take(), let memoryLimit = setup.withLock({ $0?.options.memoryLimitBytes }) else {
            return .noProcess(HostedProcessError(description: "there is no process"))
        }
        let request = RenderRequest(
            job: job, threads: UInt32(clamping: threads), hasLookTable: files.sources.lookTable != nil,
            hasLensTable: files.sources.lensTable != nil, hasCameraProfiles: files.sources.cameraProfiles != nil,
            cameraPicture: cameraPicture?.size)
        let outcome = running.render(
            request, files, cameraPicture: cameraPicture?.blank, deadline: deadline,
            memoryLimitBytes: memoryLimit, lock: lock, onLongRender: onLongRender)
        switch outcome {
        case .replied:
            process = consume running
            return outcome
        case .died: return unlessAborted(.died(running.wait()))
        default:
            _ = running.kill()
            return unlessAborted(outcome)
        }
    }

    /// Opens a job's files. A missing source may be in a folder that was mounted after its root was opened.
    private func openFiles(of job: Job, _ opened: [FileStamp: OpenFile]) throws(Failure) -> JobFiles {
        do throws(Failure) {
            return try JobFiles(job, roots: roots, scratch: scratch, hashed: hashed, opened: opened)
        } catch {
            guard error.reason.dependsOnRoot || error.reason == .unknownRoot, let setup = setup.withLock({ $0 }),
                let now = try? setup.openRoots(),
                !now.hasSameFolders(as: roots)
            else { throw error }
            roots = now
            return try JobFiles(job, roots: now, scratch: scratch, hashed: nil)
        }
    }

    private func unlessAborted(_ outcome: RenderOutcome) -> RenderOutcome {
        isAborted.load(ordering: .acquiring) ? .aborted : outcome
    }

    /// The process's current resident set; nil if there is none.
    nonisolated var residentBytes: UInt64? { killHandle.running.flatMap { SystemMemory.residentBytes(of: $0) } }

    func blocking<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }

    /// Ends the process, so that the next job gets a fresh one.
    func retire() {
        starting = nil
        guard let process = process.take() else { return }
        _ = process.kill()
    }

    /// Kills the process immediately and prevents further ones.
    nonisolated func abort() {
        isAborted.store(true, ordering: .releasing)
        killHandle.kill()
    }
}
