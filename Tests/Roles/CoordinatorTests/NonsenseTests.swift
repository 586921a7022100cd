import Broker
import Digest
import Jobs
import Records
import Synchronization
import Testing

@testable import Coordinator

/// Words that nobody means, and anybody can send who may write to the cluster.
@Suite("A coordinator that is told nonsense")
struct NonsenseTests {
    enum Nonsense: CaseIterable {
        /// A worker's name, or a trace, as long as a record can be.
        case longWorker, longTrace
        /// Looks of one name that leave no version for the next.
        case lastVersion
    }

    let bench: Bench

    init() async throws {
        bench = try await Bench()
        try bench.folder.file("archive/a.CR2")
    }

    private func order(_ recipe: Recipe = Make.recipe, own: Bool = false) -> ConversionOrder {
        ConversionOrder(
            sources: [.init(root: Make.root, path: nil)], recipe: recipe, hasOwnLook: own, submittedMilliseconds: 1)
    }

    private func record(_ control: Control) -> Record { Record(key: [], value: control.encoded()) }

    private func records(_ nonsense: Nonsense) -> [Record] {
        switch nonsense {
        case .longWorker:
            // The field once more: of two the last one counts.
            let count = Record.largestBytes - 10
            let value =
                Control.drain(worker: "x").encoded() + [0x22] + [UInt8(count & 0x7F | 0x80)]
                + [UInt8(count >> 7 & 0x7F | 0x80), UInt8(count >> 14)] + [UInt8](repeating: 0x61, count: count)
            return [Record(key: [], value: value)]
        case .longTrace:
            let plain = record(.submit(order()))
            let room = Record.largestBytes - plain.sizeBytes - JobHeader.traceparent.utf8.count
            let header = Header(name: JobHeader.traceparent, value: [UInt8](repeating: 0x30, count: room))
            return [Record(key: [], value: plain.value, headers: [header])]
        case .lastVersion:
            return (1...2).compactMap { number in
                LookReference(name: "velvet", version: .max, digest: SHA256Value(of: [number])).map {
                    record(.submit(order(Recipe(look: $0), own: true)))
                }
            }
        }
    }

    @Test("does what it is told after that", arguments: Nonsense.allCases)
    func goesOn(_ nonsense: Nonsense) async throws {
        let topics = Topics.onCluster(partitions: 1)
        try await bench.broker.create(topics)
        let roots = RootMap([RegisteredRoot(name: Make.root, path: Array(bench.archive.utf8))])
        let service = CoordinatorService(
            ledger: try await Ledger.open(library: bench.library), transport: bench.broker, library: bench.library,
            roots: roots, settings: Bench.settings, topics: topics, report: { _ in })
        let end = Mutex<(any Error)?>(nil)
        let running = Task { do { try await service.run() } catch { end.withLock { $0 = error } } }
        let producer = try await bench.broker.producer()
        let last = order(Make.otherRecipe)
        _ = try await producer.send(records(nonsense) + [record(.submit(last))], to: Topics.control)
        let reader = try await bench.broker.reader(topic: Topics.bulkJobs, from: [:])
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
