internal import Broker
internal import Jobs
internal import Manifests
internal import Records
internal import Storage
internal import Telemetry

/// Follows the coordinator's status topic: pause, resume, drain, and out-of-date records.
struct DirectiveFollower: Sendable {
    let context: WorkerContext
    let transport: any Transport
    let identity: StorageIdentity
    let directives = ClusterDirectives()

    /// Reads the topic to its end before the first job, so that a worker that starts during a pause does not start one.
    func catchUp() async {
        guard context.settings.followsDirectives else { return }
        do {
            try await transport.withReader(topic: Topics.status, from: [:]) { try await readBacklog($0) }
        } catch {
            context.log.warning(.brokerUnavailable, [.topic: "\(Topics.status)", .message: "\(error)"])
        }
    }

    func run() async {
        guard context.settings.followsDirectives else { return }
        while context.state.isWorking {
            do {
                try await transport.withReader(topic: Topics.status, from: [:]) { reader in
                    try await readBacklog(reader)
                    try await follow(reader)
                }
            } catch {
                context.log.warning(.brokerUnavailable, [.topic: "\(Topics.status)", .message: "\(error)"])
                await context.state.sleepWhileWorking(.seconds(2))
            }
        }
    }

    /// Reads the topic's backlog, and then obeys only the last record of each key: an earlier, opposite one must not
    /// resume a paused worker for a moment. Gives up after 10 seconds, in case the broker does not respond.
    private func readBacklog(_ reader: any Reader) async throws {
        let ranges = try await transport.watermarks(topic: Topics.status)
        directives.recordStart(at: ranges.mapValues(\.upperBound))
        var backlog = Backlog(ranges)
        var latest: [[UInt8]: Delivery] = [:]
        let deadline = ContinuousClock.now + .seconds(10)
        while !backlog.isRead, ContinuousClock.now < deadline, context.state.isWorking {
            for delivery in try await reader.poll(limit: 1000, wait: .milliseconds(500)) {
                latest[delivery.record.key] = delivery
                backlog.read(delivery.position)
            }
        }
        for delivery in latest.values.sorted(by: { $0.position.offset < $1.position.offset }) { obey(delivery) }
    }

    private func follow(_ reader: any Reader) async throws {
        let signal = context.state.phaseSignal
        while true {
            let signalCount = signal.signalCount
            guard context.state.isWorking else { return }
            let deliveries = try await signal.interrupting(after: signalCount) {
                try await reader.poll(limit: 1000, wait: .seconds(60))
            }
            for delivery in deliveries { obey(delivery) }
        }
    }

    private func obey(_ delivery: Delivery) {
        let changes = directives.progress.changes
        apply(delivery)
        directives.recordObeyed(delivery.position)
        // The heartbeat informs operators immediately.
        if directives.progress.changes != changes { context.state.phaseSignal.signal() }
    }

    /// An unreadable record has a later version. It is not a job, so it is skipped.
    private func apply(_ delivery: Delivery) {
        guard let subject = StatusSubject(key: delivery.record.key), let value = delivery.record.value else { return }
        switch subject {
        case .batch:
            if let status = try? BatchStatus(record: value) { directives.record(status) }
        case .coordinator:
            guard let status = try? CoordinatorStatus(record: value) else { return }
            context.state.change { if status.isPaused { $0.requestPause() } else { $0.withdrawPauseRequest() } }
            if directives.record(status) { context.state.change { $0.resume() } }
        case .root(let name):
            guard let status = try? RootStatus(record: value) else { return }
            let entries = status.entries.map { FolderSample.Entry(path: $0.path.bytes, sizeBytes: $0.sizeBytes) }
            identity.expectRoot(name.text, FolderSample(mark: status.mark, entries: entries))
        case .drain(let worker):
            guard worker == context.settings.name, directives.isSinceStart(delivery.position) else { return }
            context.log.info(.roleDraining)
            context.state.change { $0.drain() }
        }
    }
}
