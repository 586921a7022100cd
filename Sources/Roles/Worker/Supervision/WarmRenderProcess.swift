internal import Clock
internal import Glibc
internal import Jobs
internal import Manifests
internal import Processes
internal import Records
internal import RenderHost
internal import Telemetry

/// A render process that loads its program and waits for its options.
struct StartingRenderProcess: ~Copyable {
    fileprivate let child: ChildProcess
    fileprivate var channel: MessageChannel

    init(_ launch: RenderProcessLaunch, _ killHandle: ChildProcess.KillHandle) throws(RenderProcessError) {
        guard let (ours, theirs) = MessageChannel.pair() else {
            throw RenderProcessError(reason: "the system has no socket left")
        }
        let channel = MessageChannel(owning: ours)
        defer { close(theirs) }
        child = try Self.spawn(launch, channel: theirs, killHandle)
        self.channel = channel
    }

    private static func spawn(
        _ launch: RenderProcessLaunch, channel: Int32, _ killHandle: ChildProcess.KillHandle
    ) throws(RenderProcessError) -> ChildProcess {
        do throws(SpawnError) {
            return try ChildProcess.start(
                program: launch.program,
                arguments: RenderProcess.arguments(parent: getpid(), library: launch.library), channel: channel,
                inheritsStandardError: launch.inheritsStandardError, killHandle: killHandle,
                passing: RenderProcessEnvironment.passes)
        } catch {
            throw RenderProcessError(reason: "\(error)")
        }
    }
}

/// A render process that said it is warm, and the channel to it.
struct WarmRenderProcess: ~Copyable {
    let child: ChildProcess
    private var channel: MessageChannel

    /// Sends the options and waits until the process is warm.
    ///
    /// - Parameter limit: longest wait.
    init(
        _ starting: consuming StartingRenderProcess, _ options: RenderProcessOptions, limit: Duration
    ) throws(RenderProcessError) {
        // If that fails, what is received says why.
        _ = starting.channel.send(options.encoded())
        switch starting.channel.receive(milliseconds: Int32(clamping: limit.wholeMilliseconds), limit: 1 << 16) {
        case .message([]): self.init(child: starting.child, channel: starting.channel)
        case .message(let reason): throw RenderProcessError(reason: String(decoding: reason, as: UTF8.self))
        case .nothingYet: throw RenderProcessError(reason: "it did not get ready within \(limit)")
        case .ended: throw RenderProcessError(reason: "it ended at once (\(starting.child.wait()))")
        }
    }

    private init(child: consuming ChildProcess, channel: consuming MessageChannel) {
        self.child = child
        self.channel = channel
    }

    /// Sends the job and waits for the reply, the deadline, or the memory limit.
    mutating func render(
        _ request: RenderRequest, deadline: Duration, memoryLimitBytes: UInt64, onLongRender: () -> Void
    ) -> RenderOutcome {
        guard channel.send(request.encoded()) else { return .died(.exited(status: -1)) }
        // This clock stands still while the machine sleeps: a job is not late for that.
        let start = SuspendingClock.now
        let processorTimeBefore = ProcessorTime.used(by: child.pid) ?? .zero
        var isLong = false
        while true {
            switch channel.receive(milliseconds: 100, limit: RecordLimit.pipe) {
            case .message(let bytes):
                guard let reply = try? RenderReply(record: bytes), reply.job == request.job.id else {
                    return .died(.exited(status: -1))
                }
                return .replied(reply)
            case .ended: return .died(.exited(status: -1))
            case .nothingYet: break
            }
            if let resident = SystemMemory.residentBytes(of: child.pid), resident > memoryLimitBytes {
                return .outOfMemory(residentBytes: resident)
            }
            if !isLong, SuspendingClock.now - start > .seconds(1) {
                isLong = true
                onLongRender()
            }
            if SuspendingClock.now - start > deadline {
                let used = (ProcessorTime.used(by: child.pid) ?? .zero) - processorTimeBefore
                return .timedOut(deadline, wasComputing: used >= deadline / 2)
            }
        }
    }
}
