internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import Records
internal import Storage
internal import Synchronization
internal import Telemetry

extension RenderWorker {
    /// One slot's work: a job, its settlement beside the next job, and so on until the worker is stopped.
    func run(_ slot: RenderSlot, _ membership: Membership) async throws {
        var settling: Task<Void, any Error>?
        while true {
            if state.withLock({ $0.pulls }), let problem = await slot.warm() { cannotStart(problem) }
            let rings = bell.rings
            switch state.withLock({ $0.next(slot: slot.number, now: clock.milliseconds) }) {
            case .leave: return try await settling?.value ?? ()
            case .wait(let until): await bell.wait(beyond: rings, limit: wait(until: until))
            case .start(let ticket):
                let rendered = await render(ticket, slot, membership)
                try await settling?.value
                settling = Task { try await self.settle(rendered, membership) }
            }
        }
    }

    private func wait(until: Int64?) -> Duration? { until.map { .milliseconds(max(1, $0 - clock.milliseconds)) } }

    private func cannotStart(_ problem: String) {
        let words = "No render process can be started: \(problem)"
        change { $0.lostStorage(Failure(.storageUnavailable, words)) }
    }

    /// A job after its render, and what is to be made durable about it.
    struct Settled: Sendable {
        let ticket: JobDelivery
        let settlement: WorkerState.Settlement
        /// Number of this start; nil where it did not start.
        let start: UInt32?
        let timings: [StageTiming]

        /// Renders of the job so far: a header may say of those before what it likes.
        var attempts: UInt32 { UInt32(clamping: UInt64(ticket.failures) + UInt64(start ?? 0)) }
    }

    /// On the slot's thread from the count of the start to its end: a job changes threads once.
    private func render(_ ticket: JobDelivery, _ slot: isolated RenderSlot, _ membership: Membership) -> Settled {
        if orders.isOutOfDate(ticket) { return settled(ticket, .outOfDate, slot, start: nil) }
        let attempts = attempts(membership)
        let job = ticket.job
        do throws(StorageError) {
            guard let start = try attempts.begin(job) else {
                let words = "\(job.source.raw.file) was started \(settings.starts) times and never ended."
                return settled(ticket, .failed(Failure(.tooManyStarts, words)), slot, start: nil)
            }
            defer { _ = try? attempts.end(job) }
            return render(ticket, start: start, slot)
        } catch {
            return settled(ticket, .failed(.ofAttempts(error)), slot, start: nil)
        }
    }

    private func render(_ ticket: JobDelivery, start: UInt32, _ slot: isolated RenderSlot) -> Settled {
        log.debug(.jobStarted, [.job: "\(ticket.job.id)", .slot: .init(slot.number), .attempt: .init(start)])
        observe(
            .started(
                ticket.job, slot: slot.number,
                traceparent: ticket.delivery.record.text(of: JobHeader.traceparent)))
        let deadline = settings.deadline(rawBytes: ticket.job.source.raw.sizeBytes)
        let threads = state.withLock { $0.threadsOfOne(now: clock.milliseconds) }
        let outcome = slot.render(ticket.job, deadline: deadline, threads: threads)
        var timings: [StageTiming] = []
        if case .replied(let reply) = outcome { timings = reply.timings }
        return settled(ticket, .init(outcome, of: ticket.job), slot, start: start, timings)
    }

    private func settled(
        _ ticket: JobDelivery, _ ending: WorkerState.Ending, _ slot: RenderSlot, start: UInt32?,
        _ timings: [StageTiming] = []
    ) -> Settled {
        let settlement = change { $0.ended(slot: slot.number, ending) }
        return Settled(ticket: ticket, settlement: settlement, start: start, timings: timings)
    }

    func attempts(_ membership: Membership) -> Attempts {
        Attempts(folder: attemptFolder.withLock { $0 }, cluster: membership.cluster, limit: settings.starts)
    }
}

extension Failure {
    /// The library's folder would not take the count of a start.
    static func ofAttempts(_ error: StorageError) -> Failure {
        error.kind == .diskFull
            ? Failure(.diskFull, "The library's disk is full. Free some space, then run again.")
            : Failure(.storageUnavailable, "The library cannot be written: \(error).")
    }
}
