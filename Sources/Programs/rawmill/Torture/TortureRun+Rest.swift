import Broker
import Jobs
import KafkaBroker
import Library
import Manifests
import Records
import Telemetry
import Worker

/// What is left when the harm is done.
extension TortureRun {
    /// Leaves the cluster alone until everything is done.
    ///
    /// - Returns: false where it was not done in time.
    mutating func finish() async throws -> Bool {
        cluster.wake(all: true)
        try await submit(upTo: TortureSources.parts)
        return try await waitForAll(TortureSources.parts)
    }

    /// Waits until so many orders have come to their end.
    mutating func waitForAll(_ orders: Int) async throws -> Bool {
        let deadline = ContinuousClock.now + plan.patience
        while ContinuousClock.now < deadline {
            story.endedByThemselves += try cluster.startEnded().count
            await look()
            if try await isOver(orders) { return true }
            try await Task.sleep(for: .milliseconds(500))
        }
        return false
    }

    /// A cluster that cannot be asked now is asked later.
    private mutating func isOver(_ orders: Int) async throws -> Bool {
        guard let view = try? await ClusterView.read(transport), view.batches.count == orders,
            view.batches.allSatisfy({ $0.isOver }), try isCatalogued(view), let letters = try? await deadLetters()
        else { return false }
        story.deadLetters = letters
        guard letters >= story.garbageSent else { return false }
        return (try? await isEverythingTaken()) == true
    }

    /// Whether the workers are done with every record, those that end nothing included.
    private func isEverythingTaken() async throws -> Bool {
        for topic in Topics.ofJobs {
            let taken = try await transport.committed(group: WorkerGroup.name(topic: topic), topic: topic)
            let ranges = try await transport.watermarks(topic: topic)
            guard ranges.allSatisfy({ $0.value.isEmpty || taken[$0.key] ?? 0 >= $0.value.upperBound }) else {
                return false
            }
        }
        return true
    }

    /// All that ever were: the imitation of a cluster drops old ones of many bytes.
    private func deadLetters() async throws -> Int {
        try await transport.watermarks(topic: Topics.deadLetter).values.reduce(0) { $0 + Int($1.upperBound) }
    }

    private func isCatalogued(_ view: ClusterView) throws -> Bool {
        let wanted = view.batches.reduce(0) { $0 + $1.counts.catalogued + $1.counts.degraded }
        return try LibraryStore(folder: place.library, mode: .read).counts().renditions >= wanted
    }

    /// Records of jobs that the topic holds beyond one a job: librdkafka sends again what was under way when a broker hangs
    /// up, and its imitation of a cluster takes it again, which Kafka does not from an idempotent producer.
    func copies() async throws -> Int {
        let ranges = try await transport.watermarks(topic: Topics.bulkJobs).values
        return max(0, ranges.reduce(0) { $0 + Int($1.upperBound - $1.lowerBound) } - plan.jobs)
    }

    /// Tells something, and when.
    func say(_ words: String) {
        let time = start.duration(to: .now) / .seconds(1)
        tell("  \(Numeral.text(time, places: 1)) s  \(words)")
    }

    /// In the folder, too: a table of many seeds tells no more than what is broken.
    func tellStanding() async throws {
        let lines = await TortureStanding(cluster: cluster, transport: transport).lines()
        for line in lines { say(line) }
        try place.note(lines, in: "standing.txt")
    }
}
