internal import Clock
internal import Glibc
internal import Jobs
internal import Manifests
internal import Processes
internal import Records
internal import RenderHost
internal import RenderJobs
internal import Storage
internal import Telemetry

struct WarmRenderProcess: ~Copyable {
    private var process: HostedProcess

    /// Sends the options to a process that loads its program, and waits until it is warm.
    init(
        _ starting: consuming HostedProcess, _ options: RenderProcessOptions, lookTable: OpenFile?, limit: Duration
    ) throws(HostedProcessError) {
        // Otherwise each photo would end its process and count as a decoder crash.
        if let bytes = FileSizeLimit.bytes, bytes < RenderSandbox.maxFileBytes {
            throw HostedProcessError(
                description: "this process may not write files larger than \(NumberText.bytes(bytes)), but a photo can "
                    + "need \(NumberText.bytes(RenderSandbox.maxFileBytes)): raise the limit (ulimit -f, "
                    + "or a unit's LimitFSIZE=)"
            )
        }
        // If sending fails, the received message states the reason.
        _ = starting.channel.send(options.encoded(), with: lookTable.map { [$0.descriptor] } ?? [])
        process = try starting.warm(within: limit)
    }

    consuming func kill() -> ProcessEnd { process.kill() }

    consuming func wait() -> ProcessEnd { process.wait() }

    /// Sends the job with its files, answers the process's questions, and waits for the reply, the deadline, or the
    /// memory limit. Meanwhile it hashes the RAW.
    ///
    /// - Parameters:
    ///   - blank: receives the camera's own picture, if requested.
    ///   - lock: taken before a frame gets its files, after at most ten seconds of waiting. A photo that two jobs write
    ///     at the same time is still valid.
    mutating func render(
        _ request: RenderRequest, _ files: JobFiles, cameraPicture blank: BlankFile? = nil, deadline: Duration,
        memoryLimitBytes: UInt64, lock: PhotoLock? = nil, onLongRender: () -> Void
    ) -> RenderOutcome {
        // The kernel's limit applies even if this process cannot check the clock.
        let processorTimeBefore = ProcessorTime.used(by: process.pid) ?? .zero
        process.limitProcessorTime(processorTimeBefore + deadline * (max(Int(request.threads), 1) + 1))
        let descriptors = files.sources.all.map(\.descriptor) + (blank.map { [$0.descriptor] } ?? [])
        guard process.channel.send(request.encoded(), with: descriptors) else {
            return .died(.exited(status: -1))
        }
        // This clock stops while the machine sleeps, so sleep does not count against the deadline.
        var start = SuspendingClock.now
        var watch = RenderWatch(start: start)
        var waiting: (question: RenderMessage, since: SuspendingClock.Instant)?
        while true {
            if let (question, since) = waiting, files.holds(lock) || SuspendingClock.now - since > Self.longestWait {
                waiting = nil
                // Waiting for the lock does not count against the deadline.
                start += SuspendingClock.now - since
                guard answer(question, files) else { return .died(.exited(status: -1)) }
            }
            // The camera's picture needs no hash.
            let hashes = files.canHash && blank == nil
            switch process.channel.receive(
                milliseconds: hashes ? 0 : waiting == nil ? 100 : 5, limit: RecordLimit.pipe)
            {
            case .message(let bytes):
                for descriptor in process.channel.takeDescriptors() { close(descriptor) }
                guard let message = try? RenderMessage(record: bytes) else { return .died(.exited(status: -1)) }
                if case .cameraPicture(let failure) = message {
                    guard blank != nil else { return .died(.exited(status: -1)) }
                    let outcome = failure.map { Manifest.Outcome.failed($0) } ?? .completed([])
                    return .replied(RenderReply(job: request.job.id, outcome: outcome), [])
                }
                if case .reply(let reply) = message {
                    return reply.job == request.job.id ? files.outcome(of: reply) : .died(.exited(status: -1))
                }
                if case .frame = message, !files.holds(lock) {
                    waiting = (message, SuspendingClock.now)
                } else if !answer(message, files) {
                    return .died(.exited(status: -1))
                }
            case .ended: return .died(.exited(status: -1))
            case .nothingYet: if hashes { files.hashMore() }
            }
            guard watch.isDue else { continue }
            if let resident = SystemMemory.residentBytes(of: process.pid), resident > memoryLimitBytes {
                return .outOfMemory(residentBytes: resident)
            }
            if watch.becomesLong { onLongRender() }
            if waiting == nil, SuspendingClock.now - start > deadline {
                let used = (ProcessorTime.used(by: process.pid) ?? .zero) - processorTimeBefore
                return .timedOut(deadline, wasComputing: used >= deadline / 2)
            }
        }
    }

    /// Limit for a lock. A photo takes a second or two.
    private static let longestWait = Duration.seconds(10)

    /// Returns false if the process is gone.
    private func answer(_ question: RenderMessage, _ files: JobFiles) -> Bool {
        do throws(Failure) {
            switch question {
            case .reply, .cameraPicture: return false
            case .original(let stamp):
                return process.channel.send(RenderAnswer.original(isThere: try files.isThere(stamp)).encoded())
            case .frame(let frame):
                let given = try files.frame(frame)
                let answer = RenderAnswer.frame(
                    asset: given.asset, hasKnownPhoto: given.knownPhoto != nil,
                    hasKnownPreview: given.knownPreview != nil)
                let descriptors =
                    [given.preview.descriptor, given.photo.descriptor]
                    + [given.knownPhoto, given.knownPreview].compactMap { $0?.descriptor }
                return process.channel.send(answer.encoded(), with: descriptors)
            }
        } catch {
            return process.channel.send(RenderAnswer.failed(error).encoded())
        }
    }
}

private struct RenderWatch {
    private let start: SuspendingClock.Instant
    private var next: SuspendingClock.Instant
    private var isLong = false

    init(start: SuspendingClock.Instant) {
        self.start = start
        next = start + Self.interval
    }

    private static let interval = Duration.milliseconds(100)

    /// True once in a tenth of a second.
    var isDue: Bool {
        mutating get {
            let now = SuspendingClock.now
            guard now >= next else { return false }
            next = now + Self.interval
            return true
        }
    }

    /// True once, when the render has taken a second.
    var becomesLong: Bool {
        mutating get {
            guard !isLong, SuspendingClock.now - start > .seconds(1) else { return false }
            isLong = true
            return true
        }
    }
}

extension JobFiles {
    /// Whether the job has its lock, or needs none. If the RAW cannot be read, the answer to its question reports it.
    fileprivate func holds(_ lock: PhotoLock?) -> Bool {
        guard let lock, let photo = try? firstPhoto else { return true }
        return lock.take(photo)
    }

    fileprivate func outcome(of reply: RenderReply) -> RenderOutcome {
        guard case .completed(let frames) = reply.outcome else { return .replied(reply, []) }
        do throws(Failure) {
            let (checked, unnamed) = try finish(frames, reply.outputs)
            return .replied(reply.with(.completed(checked)), unnamed)
        } catch {
            return .replied(reply.with(.failed(error)), [])
        }
    }
}

extension RenderReply {
    fileprivate func with(_ outcome: Manifest.Outcome) -> RenderReply {
        RenderReply(job: job, outcome: outcome, timings: timings, peakResidentBytes: peakResidentBytes)
    }
}
