internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import Records
internal import RenderHost
internal import RenderJobs
internal import Storage
internal import Telemetry

/// Runs the jobs of one slot: renders one while earlier deliveries are being completed.
struct SlotRunner: Sendable {
    let context: WorkerContext
    let slot: RenderSlot
    let identity: StorageIdentity
    let attempts: AttemptTracker
    let directives: ClusterDirectives
    let completer: DeliveryCompleter
    let prefetcher: SourcePrefetcher
    let locks: PhotoLocks

    private var state: SharedWorkerState { context.state }

    func run() async throws {
        var completions: [Task<Void, any Error>] = []
        let loop = "slot \(slot.number)"
        defer { context.heartbeat.rest(loop) }
        while true {
            await warmIfNeeded()
            let signalCount = state.slotSignal.signalCount
            switch state.withState({ $0.nextAction(slot: slot.number, now: state.now) }) {
            case .exit: return try await Self.wait(for: &completions, leaving: 0)
            case .wait(let until):
                context.heartbeat.rest(loop)
                let limit = until.map { Duration.milliseconds(max(1, $0 - state.now)) }
                await state.slotSignal.wait(after: signalCount, limit: limit)
            case .start(let delivery):
                prefetcher.prefetch([delivery.job.source] + state.withState { $0.nextSources(now: state.now) })
                context.heartbeat.beat(
                    loop, extra: context.settings.deadline(rawBytes: delivery.job.source.raw.sizeBytes))
                let attempt = await render(delivery, on: slot)
                // The next steps wait for the disk and the broker.
                context.heartbeat.rest(loop)
                try await Self.wait(for: &completions, leaving: WorkerSettings.openCompletionsPerSlot - 1)
                completions.append(complete(attempt))
            }
        }
    }

    /// Waits for the oldest, or for all if one has failed.
    private static func wait(for completions: inout [Task<Void, any Error>], leaving count: Int) async throws {
        while completions.count > count {
            guard case .failure(let error) = await completions.removeFirst().result else { continue }
            for completion in completions { _ = await completion.result }
            throw error
        }
    }

    /// A result that cannot be published ends the worker, even if this slot gets no further job.
    private func complete(_ attempt: FinishedAttempt) -> Task<Void, any Error> {
        Task {
            do {
                try await completer.complete(attempt)
            } catch {
                state.change { $0.drain() }
                throw error
            }
        }
    }

    private func warmIfNeeded() async {
        guard state.withState({ $0.mayStartJobs && !$0.coldSlots.contains(slot.number) }) else { return }
        do throws(HostedProcessError) {
            try await slot.warm()
        } catch {
            state.change { $0.recordStorageLoss(.noRenderProcess(error)) }
        }
    }

    /// Counts the start, renders, and removes the count, all on the slot's thread, so that a job changes threads only
    /// once.
    private func render(_ delivery: JobDelivery, on slot: isolated RenderSlot) -> FinishedAttempt {
        if directives.isOutOfDate(delivery) { return finished(delivery, .outOfDate, start: nil) }
        let job = delivery.job
        if let problem = identity.libraryProblem() { return finished(delivery, .failed(problem), start: nil) }
        do throws(StorageError) {
            guard let start = try attempts.beginStart(of: job) else {
                return finished(delivery, .failed(.tooManyStarts(job, context.settings.maxStarts)), start: nil)
            }
            defer { try? attempts.endStarts(of: job) }
            return render(delivery, start: start, on: slot)
        } catch {
            return finished(delivery, .failed(Failure(library: error)), start: nil)
        }
    }

    private func render(_ delivery: JobDelivery, start: UInt32, on slot: isolated RenderSlot) -> FinishedAttempt {
        let job = delivery.job
        context.log.debug(.jobStarted, [.job: "\(job.id)", .slot: .init(slot.number), .attempt: .init(start)])
        context.observe(
            .started(job, slot: slot.number, traceparent: delivery.record.text(of: JobHeader.traceparent)))
        let deadline = context.settings.deadline(rawBytes: job.source.raw.sizeBytes)
        let threads = state.withState { $0.threadsPerJob(now: state.now) }
        var request = job
        // An interrupted attempt may have left a photo unknown to the library, which cannot be trusted.
        request.rendersAnew = job.rendersAnew || start > 1 || delivery.failures > 0
        let lock = PhotoLock(locks)
        let outcome = slot.render(
            request, deadline: deadline, threads: threads, opened: prefetcher.takeFiles(of: job.source), lock: lock
        ) { try? attempts.makeStartsDurable() }
        guard case .replied(let reply, let files) = outcome else {
            return finished(delivery, checked(.init(outcome, of: job), of: job), start: start)
        }
        return finished(
            delivery, checked(.init(outcome, of: job), of: job), start: start, reply.timings, files, lock)
    }

    /// If the root itself is missing, a missing or different source says nothing about the photo.
    private func checked(_ result: WorkerState.AttemptResult, of job: Job) -> WorkerState.AttemptResult {
        guard case .failed(let failure, _) = result, failure.reason.dependsOnRoot,
            let problem = identity.rootProblem(job.source.raw.file.root.text)
        else { return result }
        return .failed(problem)
    }

    private func finished(
        _ delivery: JobDelivery, _ result: WorkerState.AttemptResult, start: UInt32?, _ timings: [StageTiming] = [],
        _ files: [UnnamedFile] = [], _ lock: PhotoLock? = nil
    ) -> FinishedAttempt {
        let disposition = state.change { $0.recordRenderEnd(slot: slot.number, result) }
        return FinishedAttempt(
            delivery: delivery, disposition: disposition, start: start, timings: timings, files: files, lock: lock)
    }
}

struct FinishedAttempt: Sendable {
    let delivery: JobDelivery
    let disposition: WorkerState.Disposition
    let start: UInt32?
    let timings: [StageTiming]
    let files: [UnnamedFile]
    let lock: PhotoLock?

    /// The job's renders so far. The header may contain any number of failures.
    var attempts: UInt32 { UInt32(clamping: UInt64(delivery.failures) + UInt64(start ?? 0)) }
}

extension Failure {
    fileprivate static func tooManyStarts(_ job: Job, _ count: UInt32) -> Failure {
        let message =
            "\(job.source.raw.file) was being rendered each of the \(count) times its worker died, "
            + "the last \(count - 1) times alone."
        return Failure(.tooManyStarts, message)
    }
}
