internal import Broker
internal import Jobs
internal import Manifests
internal import Records
internal import Telemetry

/// Reads the coordinator's status topic and does what it says: pause, resume, drain, and which records are out of date.
struct DirectiveFollower: Sendable {
    let context: WorkerContext
    let transport: any Transport
    let directives = ClusterDirectives()

    /// Reads the topic to its end before the first job, so that a worker that starts while everything is paused does
    /// not start one. It gives up after 10 seconds: a broker that does not respond is no reason to wait for ever.
    func catchUp() async {
        guard context.settings.followsDirectives else { return }
        do {
            let ranges = try await transport.watermarks(topic: Topics.status)
            directives.recordStart(at: ranges.mapValues(\.upperBound))
            try await transport.withReader(topic: Topics.status, from: [:]) { reader in
                var backlog = Backlog(ranges)
                let deadline = ContinuousClock.now + .seconds(10)
                while !backlog.isRead, ContinuousClock.now < deadline {
                    for delivery in try await reader.poll(limit: 1000, wait: .milliseconds(500)) {
                        apply(delivery)
                        backlog.read(delivery.position)
                    }
                }
            }
        } catch {
            context.log.warning(.brokerUnavailable, [.topic: "\(Topics.status)", .message: "\(error)"])
        }
    }

    /// Follows the topic until the worker ends.
    func run() async {
        guard context.settings.followsDirectives else { return }
        while context.state.isWorking {
            do {
                try await transport.withReader(topic: Topics.status, from: [:]) { try await follow($0) }
            } catch {
                context.log.warning(.brokerUnavailable, [.topic: "\(Topics.status)", .message: "\(error)"])
                try? await Task.sleep(for: .seconds(2))
            }
        }
    }

    private func follow(_ reader: any Reader) async throws {
        let signal = context.state.phaseSignal
        while true {
            let signalCount = signal.signalCount
            guard context.state.isWorking else { return }
            let deliveries = try await signal.interrupting(after: signalCount) {
                try await reader.poll(limit: 1000, wait: .seconds(60))
            }
            for delivery in deliveries { apply(delivery) }
        }
    }

    /// A record that cannot be read is of a later version. It is no job, so it is skipped.
    private func apply(_ delivery: Delivery) {
        guard let subject = StatusSubject(key: delivery.record.key), let value = delivery.record.value else { return }
        switch subject {
        case .batch:
            if let status = try? BatchStatus(record: value) { directives.record(status) }
        case .coordinator:
            guard let status = try? CoordinatorStatus(record: value) else { return }
            context.state.change { if status.isPaused { $0.requestPause() } else { $0.withdrawPauseRequest() } }
            if directives.record(status) { context.state.change { $0.resume() } }
        case .drain(let worker):
            guard worker == context.settings.name, directives.isSinceStart(delivery.position) else { return }
            context.log.info(.roleDraining)
            context.state.change { $0.drain() }
        }
    }
}
