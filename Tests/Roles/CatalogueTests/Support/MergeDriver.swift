import Broker
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Storage
import Telemetry

@testable import Catalogue

/// A cataloguer without a broker.
struct MergeDriver {
    let fixture: LibraryFixture
    let roots: Roots
    /// Manifests of another cluster are read from their beginning.
    let topic: ConsumedTopic

    init(_ fixture: LibraryFixture, roots: [String: Root] = [:], cluster: String = "test") {
        self.fixture = fixture
        self.roots = Roots(roots)
        topic = ConsumedTopic(cluster: cluster, topic: Topics.manifests)
    }

    /// One life of a cataloguer: it recovers, merges the unmerged manifests in batches, and removes its records. An
    /// error of `onStep` ends it.
    ///
    /// - Parameters:
    ///   - confirms: whether the coordinator's acceptance of jobs with `move` is simulated.
    ///   - together: false merges one manifest after the other.
    ///   - onResults: called with the results of each batch.
    func run(
        _ manifests: [Manifest], batch: Int = 5, confirms: Bool = true, together: Bool = true,
        onStep: @escaping (MergeStep) throws -> Void = { _ in }, onResults: ([ManifestMergeResult]) -> Void = { _ in }
    ) throws {
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write, metadataProgram: LibraryFixture.program)
        let merger = BatchMerger(
            store: store, topic: topic, roots: roots, log: .silent, mergesTogether: together, onStep: onStep)
        try merger.recover()
        let start = Int(try store.tables.offsets.next(of: topic)[0] ?? 0)
        let deliveries = Self.deliveries(manifests, of: topic).dropFirst(start)
        for start in stride(from: deliveries.startIndex, to: deliveries.endIndex, by: batch) {
            let part = Array(deliveries[start..<min(start + batch, deliveries.endIndex)])
            onResults(try merger.merge(part, next: [0: Int64(start + part.count)]))
        }
        if confirms {
            try merger.confirm(manifests.filter { $0.originals == .move }.map { JobResult(of: $0) }, next: [:])
        }
        try merger.removeNotes()
    }

    /// The manifests as records of partition 0.
    static func deliveries(
        _ manifests: [Manifest], of topic: ConsumedTopic, from offset: Int64 = 0
    ) -> [ManifestDelivery] {
        let partition = TopicPartition(topic: topic.topic, partition: 0)
        return manifests.enumerated().map { index, manifest in
            ManifestDelivery(
                manifest: manifest, position: Position(partition: partition, offset: offset + Int64(index)))
        }
    }
}
