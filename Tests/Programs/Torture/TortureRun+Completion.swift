import Broker
import ClusterControl
import CommandLineTool
import KafkaBroker
import LibraryTables
import Manifests
import PhotoTree
import Worker

/// Waiting for the remaining work after the harm.
extension TortureRun {
    /// Leaves the cluster alone until everything is done.
    ///
    /// - Returns: false if it was not done in time.
    mutating func finish() async throws -> Bool {
        roles.resume(all: true)
        tally.workersKilled += try roles.mend(all: true)
        try await submit(upTo: SourceFiles.parts)
        return try await waitForOrders(orders.count)
    }

    /// Waits until this number of orders is known and all of them are over.
    mutating func waitForOrders(_ orders: Int) async throws -> Bool {
        let deadline = ContinuousClock.now + plan.patience
        while ContinuousClock.now < deadline {
            tally.rolesRestarted += try roles.restartEnded().count
            await observe()
            if try await areOver(orders) { return true }
            try await Task.sleep(for: .milliseconds(200))
        }
        return false
    }

    /// False also for an unreadable cluster.
    private mutating func areOver(_ orders: Int) async throws -> Bool {
        guard let status = try? await ClusterStatus.read(transport), status.batches.count == orders,
            status.batches.allSatisfy({ $0.isOver }), try isCatalogued(status), let letters = try? await deadLetters()
        else { return false }
        tally.deadLetters = letters
        guard letters >= tally.garbageSent else { return false }
        return (try? await areAllRecordsCommitted()) == true
    }

    /// Whether the workers have finished every record, including those that end no job.
    private func areAllRecordsCommitted() async throws -> Bool {
        for topic in Topics.jobTopics {
            let (committed, ranges): ([Int32: Int64], [Int32: Range<Int64>])
            do {
                committed = try await transport.committed(group: WorkerGroup.name(topic: topic), topic: topic)
                ranges = try await transport.watermarks(topic: topic)
            } catch BrokerError.unknownTopic {
                // It was deleted, and no role has needed it since.
                continue
            }
            guard ranges.allSatisfy({ $0.value.isEmpty || committed[$0.key] ?? 0 >= $0.value.upperBound }) else {
                return false
            }
        }
        return true
    }

    /// All dead letters ever: the mock cluster drops old ones when they are too large together.
    private func deadLetters() async throws -> Int {
        try await transport.watermarks(topic: Topics.deadLetter).values.reduce(0) { $0 + Int($1.upperBound) }
    }

    private func isCatalogued(_ status: ClusterStatus) throws -> Bool {
        let expected = status.batches.reduce(0) { $0 + $1.counts.catalogued + $1.counts.degraded }
        return try LibraryStore(folder: layout.library, mode: .read).counts().renditions >= expected
            + furtherPhotos
    }

    /// Job records in the topic beyond one per job. When a broker disconnects, librdkafka resends records in flight,
    /// and its mock cluster accepts them again. Kafka does not for an idempotent producer.
    func duplicates() async throws -> Int {
        let ranges = try await transport.watermarks(topic: Topics.bulkJobs).values
        return max(0, ranges.reduce(0) { $0 + Int($1.upperBound - $1.lowerBound) } - jobs)
    }
}
