internal import Broker
internal import Jobs
internal import Manifests
internal import Records
internal import Synchronization
internal import Telemetry

extension RenderWorker {
    /// Reads the status topic to its end before the first job, so that a worker that starts while all is paused does
    /// not begin one. A broker that does not answer is no reason to wait for ever.
    func readStatusOnce() async {
        guard settings.followsStatus else { return }
        do {
            let ranges = try await transport.watermarks(topic: Topics.status)
            orders.begins(at: ranges.mapValues(\.upperBound))
            try await transport.withReader(topic: Topics.status, from: [:]) { reader in
                var backlog = Backlog(ranges)
                let deadline = ContinuousClock.now + .seconds(10)
                while !backlog.isRead, ContinuousClock.now < deadline {
                    for delivery in try await reader.poll(limit: 1000, wait: .milliseconds(500)) {
                        obey(delivery)
                        backlog.read(delivery.position)
                    }
                }
            }
        } catch {
            log.warning(.brokerUnavailable, [.topic: "\(Topics.status)", .message: "\(error)"])
        }
    }

    /// Does what the coordinator says, until the worker ends.
    func followStatus() async {
        guard settings.followsStatus else { return }
        while state.withLock({ $0.phase == .working }) {
            do {
                try await transport.withReader(topic: Topics.status, from: [:]) { try await follow($0) }
            } catch {
                log.warning(.brokerUnavailable, [.topic: "\(Topics.status)", .message: "\(error)"])
                try? await Task.sleep(for: .seconds(2))
            }
        }
    }

    private func follow(_ reader: any Reader) async throws {
        while true {
            let rings = turnBell.rings
            guard state.withLock({ $0.phase == .working }) else { return }
            let deliveries = try await turnBell.interrupting(beyond: rings) {
                try await reader.poll(limit: 1000, wait: .seconds(60))
            }
            for delivery in deliveries { obey(delivery) }
        }
    }

    /// What cannot be read is of a later version, and passed over: it is no job.
    private func obey(_ delivery: Delivery) {
        guard let subject = StatusSubject(key: delivery.record.key), let value = delivery.record.value else { return }
        switch subject {
        case .batch:
            if let status = try? BatchStatus(record: value) { orders.take(status) }
        case .coordinator:
            guard let status = try? CoordinatorStatus(record: value) else { return }
            if status.isPaused { change { $0.hold() } } else { change { $0.release() } }
            if orders.take(status) { resume() }
        case .drain(let worker):
            guard worker == settings.name, orders.isNews(delivery.position) else { return }
            log.info(.roleDraining)
            change { if $0.phase == .working { $0.stop() } }
        }
    }
}
