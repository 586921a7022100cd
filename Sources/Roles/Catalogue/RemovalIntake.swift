internal import Broker
internal import Manifests
internal import Records
internal import Telemetry

/// Reads the coordinator's confirmations of `move` jobs from the removals topic, and removes their sources.
///
/// Not thread-safe: it belongs to the cataloguer.
final class RemovalIntake {
    /// Position in the removals topic.
    var consumed = StoredPosition(cluster: "")
    private let limit: Int
    private let log: Logger

    init(limit: Int, log: Logger) {
        self.limit = limit
        self.log = log
    }

    /// Takes the available records without waiting. An unreachable broker has none.
    func take(
        from reader: any Reader, with merger: BatchMerger, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        while true {
            let deliveries: [Delivery]
            do { deliveries = try await reader.poll(limit: limit, wait: .zero) } catch {
                guard let error = error as? BrokerError, case .unavailable = error else { throw error }
                return
            }
            if deliveries.isEmpty { return }
            var next: [Int32: Int64] = [:]
            var known: [Int32: KnownRecord] = [:]
            var results: [JobResult] = []
            for delivery in deliveries {
                let partition = delivery.position.partition.partition
                next[partition] = delivery.position.offset + 1
                known[partition] = known[partition] ?? KnownRecord(delivery)
                do throws(RecordError) {
                    results += try JobResults(record: delivery.record.value ?? []).results
                } catch {
                    log.error(
                        .recordRefused,
                        [
                            .topic: "\(Topics.removals)", .offset: LogValue(delivery.position.offset),
                            .message: "\(error)",
                        ])
                }
            }
            try merger.confirm(results, next: next, known: known)
            consumed.next.merge(next) { $1 }
        }
    }

    func unread(of written: [Int32: Range<Int64>]) -> Int64 {
        written.reduce(0) { $0 + max(0, $1.value.upperBound - (consumed.next[$1.key] ?? $1.value.lowerBound)) }
    }
}
