internal import Broker
internal import Clock
internal import Telemetry

/// Commits finished deliveries.
///
/// A commit costs the broker as much as a job, so commits are batched. Deliveries left uncommitted by a kill have
/// completion markers, and are not rendered again.
struct Committer: Sendable {
    let context: WorkerContext
    let consumers: QueueConsumers
    let attempts: AttemptTracker

    private static let loop = "commit"

    func run() async throws {
        let state = context.state
        defer { context.heartbeat.rest(Self.loop) }
        while true {
            context.heartbeat.beat(Self.loop)
            let (signalCount, phaseCount) = (state.commitSignal.signalCount, state.phaseSignal.signalCount)
            guard state.isWorking else { return }
            do {
                // A worker that ends commits once more, but does not wait for an unresponsive broker.
                try await state.phaseSignal.interrupting(after: phaseCount) { try await commit() }
                await state.sleepWhileWorking(.milliseconds(100))
            } catch is CancellationError {
                continue
            } catch BrokerError.broken(let reason) {
                throw BrokerError.broken(reason)
            } catch {
                context.log.warning(.brokerUnavailable, [.message: "\(error)"])
                await state.sleepWhileWorking(.seconds(1))
            }
            await state.commitSignal.wait(after: signalCount, limit: .seconds(1))
        }
    }

    /// Commits now, then removes the markers of jobs that will not be delivered again.
    func commit() async throws {
        for consumer in consumers.all {
            for (position, job) in try await consumer.commit() { try? attempts.removeMarkers(of: job, at: position) }
        }
    }
}
