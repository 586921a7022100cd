import Broker
import Digest
import Jobs
import Records
import Synchronization
import Testing

@testable import Coordinator

/// Records that no Rawmill program sends, but any client of the cluster can.
@Suite("A coordinator that reads an extreme command")
struct ExtremeRecordTests {
    enum ExtremeRecord: CaseIterable {
        /// A worker's name, or a trace context, as long as a record can be.
        case longWorker, longTrace
        /// Two looks of one name, the first with the highest possible version.
        case lastVersion
    }

    let fixture: CoordinatorFixture

    init() async throws {
        fixture = try await CoordinatorFixture()
        try fixture.folder.file("archive/a.CR2")
    }

    private func order(_ recipe: Recipe = Example.recipe, own: Bool = false) -> ConversionOrder {
        ConversionOrder(
            sources: [.init(root: Example.root, path: nil)], recipe: recipe, hasOwnLook: own, submittedMilliseconds: 1)
    }

    private func record(_ control: Control) -> Record { Record(key: [], value: control.encoded()) }

    private func records(_ extreme: ExtremeRecord) -> [Record] {
        switch extreme {
        case .longWorker:
            // The field a second time: protobuf takes the last one.
            let count = Record.maxBytes - 10
            let value =
                Control.drain(worker: "x").encoded() + [0x22] + [UInt8(count & 0x7F | 0x80)]
                + [UInt8(count >> 7 & 0x7F | 0x80), UInt8(count >> 14)] + [UInt8](repeating: 0x61, count: count)
            return [Record(key: [], value: value)]
        case .longTrace:
            let plain = record(.submit(order()))
            let capacity = Record.maxBytes - plain.sizeBytes - JobHeader.traceparent.utf8.count
            let header = Header(name: JobHeader.traceparent, value: [UInt8](repeating: 0x30, count: capacity))
            return [Record(key: [], value: plain.value, headers: [header])]
        case .lastVersion:
            return (1...2).compactMap { number in
                LookReference(name: "velvet", version: .max, digest: SHA256Value(of: [number])).map {
                    record(.submit(order(Recipe(look: $0), own: true)))
                }
            }
        }
    }

    @Test("carries out the next one", arguments: ExtremeRecord.allCases)
    func continues(_ extreme: ExtremeRecord) async throws {
        let topics = Topics.cluster(partitions: 1)
        try await fixture.broker.create(topics)
        let roots = RootMap([RegisteredRoot(name: Example.root, path: Array(fixture.archive.utf8))])
        let service = CoordinatorService(
            ledger: try await Ledger.open(library: fixture.library), transport: fixture.broker,
            library: fixture.library,
            roots: roots, settings: CoordinatorFixture.settings, topics: topics, report: { _ in })
        let end = Mutex<(any Error)?>(nil)
        let running = Task { do { try await service.run() } catch { end.withLock { $0 = error } } }
        let producer = try await fixture.broker.producer()
        let last = order(Example.otherRecipe)
        _ = try await producer.send(records(extreme) + [record(.submit(last))], to: Topics.control)
        let reader = try await fixture.broker.reader(topic: Topics.bulkJobs, from: [:])
        var batches: Set<BatchID> = []
        let deadline = ContinuousClock.now + .seconds(60)
        while !batches.contains(last.batch), end.withLock({ $0 }) == nil, ContinuousClock.now < deadline {
            for delivery in try await reader.poll(limit: 100, wait: .milliseconds(20)) {
                batches.insert(try Job(record: delivery.record.value ?? []).batch)
            }
        }
        #expect(batches.contains(last.batch))
        #expect(end.withLock { $0 } == nil)
        running.cancel()
        await running.value
    }
}
