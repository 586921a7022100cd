internal import Clock
internal import Glibc
internal import Jobs
internal import Manifests
internal import Processes
internal import Records
internal import RenderHost
internal import Telemetry

/// A render process that loads its program, and waits to be told how to render.
struct LoadingChild: ~Copyable {
    fileprivate let process: ChildProcess
    fileprivate var connection: MessageChannel

    /// Nil where there is none, with the reason in `problem`.
    init?(_ start: SlotStart, _ killer: ChildProcess.Killer, problem: inout String) {
        guard let (ours, theirs) = MessageChannel.pair() else {
            problem = "the system has no socket left"
            return nil
        }
        let connection = MessageChannel(owning: ours)
        let process = ChildProcess.start(
            program: start.program,
            arguments: RenderProcess.arguments(parent: getpid(), library: start.library), channel: theirs,
            keepsErrors: start.keepsErrors, killer: killer, problem: &problem)
        close(theirs)
        guard let process else { return nil }
        self.process = process
        self.connection = connection
    }
}

/// A render process that said it is warm, and the connection to it.
struct WarmChild: ~Copyable {
    let process: ChildProcess
    private var connection: MessageChannel

    /// Tells the process how to render and waits until it can, which takes it `patience` at most.
    ///
    /// Nil where it does not, with the reason in `problem`.
    init?(_ child: consuming LoadingChild, _ options: RenderProcessOptions, patience: Duration, problem: inout String) {
        // Where that fails, what is received says why.
        _ = child.connection.send(options.encoded())
        switch child.connection.receive(milliseconds: Int32(clamping: patience.wholeMilliseconds), limit: 1 << 16) {
        case .message([]): self.init(process: child.process, connection: child.connection)
        case .message(let reason):
            problem = String(decoding: reason, as: UTF8.self)
            return nil
        case .nothingYet:
            problem = "it did not get ready within \(patience)"
            return nil
        case .ended:
            problem = "it ended at once (\(child.process.wait()))"
            return nil
        }
    }

    private init(process: consuming ChildProcess, connection: consuming MessageChannel) {
        self.process = process
        self.connection = connection
    }

    /// Sends the job and waits for its end, for the deadline, or for too much memory.
    mutating func render(
        _ request: RenderRequest, deadline: Duration, memoryLimitBytes: UInt64
    ) -> SlotOutcome {
        guard connection.send(request.encoded()) else { return .died(.exited(status: -1)) }
        // A clock that stands still while the machine sleeps: a job is not late for that.
        let start = SuspendingClock.now
        while true {
            switch connection.receive(milliseconds: 100, limit: RecordLimit.pipe) {
            case .message(let bytes):
                guard let reply = try? RenderReply(record: bytes), reply.job == request.job.id else {
                    return .died(.exited(status: -1))
                }
                return .replied(reply)
            case .ended: return .died(.exited(status: -1))
            case .nothingYet: break
            }
            if let resident = MemoryGauge.residentBytes(of: process.pid), resident > memoryLimitBytes {
                return .outOfMemory(residentBytes: resident)
            }
            if SuspendingClock.now - start > deadline { return .timedOut(deadline) }
        }
    }
}
