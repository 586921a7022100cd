import Broker
import Database
import Digest
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Records
import Storage
import Synchronization
import Telemetry
import Testing

@testable import Catalogue

@Suite("A full disk") struct DiskFullTests {
    @Test("The cataloguer stops with a reason and a remedy, and nothing is lost", arguments: 0...6)
    func database(pagesLeft: Int) throws {
        let fixture = try LibraryFixture(on: .file)
        let archive = try fixture.root("archive")
        let manifests = try fixture.variedManifests(sources: archive)
        let merging = MergeDriver(fixture, roots: ["archive": archive])
        try merging.run(Array(manifests.prefix(3)))
        let before = try fixture.content()

        do {
            let root = try fixture.library
            let database = try LibraryDatabase(folder: fixture.libraryPath, mode: .write)
            try database.perform { connection in
                let pages = try connection.first("PRAGMA page_count") { $0.integer(0) } ?? 0
                try connection.each("PRAGMA max_page_count = \(pages + Int64(pagesLeft))") { _ in }
            }
            let store = try LibraryStore(root: root, database: database, lock: try LibraryLock(root))
            let merger = BatchMerger(
                store: store, topic: merging.topic, roots: merging.roots, log: .silent, onStep: { _ in })
            // More photos than a few pages hold.
            let flood = try (0..<200).map { number in
                let shot = Shot("flood \(number)", path: "flood/IMG_\(number).CR2")
                return try Manifest([try fixture.render(shot, bytes: tinyJPEG)], finished: 9)
            }
            let deliveries = MergeDriver.deliveries(flood, of: merging.topic, from: 3)
            let error = #expect(throws: LibraryError.self) { try merger.merge(deliveries, next: [0: 203]) }
            #expect(error?.kind == .diskFull)
            #expect("\(try #require(error))".contains("Free some space"))
        }
        #expect(try fixture.content() == before)
        try merging.run(manifests)
        try fixture.expectConsistency("after there was space again")
    }

    @Test("Names whose links could not be made stay recorded, and the next start makes them")
    func links() throws {
        let fixture = try LibraryFixture()
        let archive = try fixture.root("archive")
        let manifests = try fixture.variedManifests(sources: archive)
        let merging = MergeDriver(fixture, roots: ["archive": archive])
        var linked = 0
        let error = #expect(throws: LibraryError.self) {
            try merging.run(manifests, batch: 20) { step in
                guard case .linkUpdated = step else { return }
                linked += 1
                if linked == 4 { throw StorageError(.diskFull, "link", Array("photos/x".utf8)) }
            }
        }
        #expect(error?.kind == .diskFull)
        try merging.run([])
        try fixture.expectConsistency("after there was space again")
    }

    @Test(
        "A cataloguer that runs as a service waits for space, and reports the cause and the end once",
        .timeLimit(.minutes(1)))
    func service() async throws {
        let fixture = try LibraryFixture()
        let archive = try fixture.root("archive")
        let broker = try await EmbeddedBroker.inMemory()
        try await broker.create(Topics.local)
        let manifests = try fixture.variedManifests(sources: archive)
        let records = manifests.map { Record(key: $0.source.fingerprint.bytes, value: $0.encoded()) }
        try await broker.withProducer { _ = try await $0.send(records, to: Topics.manifests) }
        var settings = CatalogueSettings(maxWait: .milliseconds(20), retryPause: .milliseconds(5))
        settings.isService = true
        let lines = LogLines()
        let left = Mutex(20)
        let cataloguer = Cataloguer(
            broker, fixture.libraryPath, nil, Roots(["archive": archive]), settings,
            Logger(level: .warning, sink: lines)
        ) { step in
            guard case .linkUpdated = step,
                left.withLock({
                    $0 -= 1; return $0 >= 0
                })
            else { return }
            throw StorageError(.diskFull, "link", Array("photos/x".utf8))
        }
        async let totals = cataloguer.run()
        while !lines.all.contains(where: { $0.contains("event=outage.ended milliseconds=") }) {
            try await Task.sleep(for: .milliseconds(20))
        }
        cataloguer.stop()
        _ = try await totals
        #expect(lines.all.map { $0.contains("event=storage.unavailable") } == [true, false], "\(lines.all)")
        await cataloguer.close()
        try fixture.expectConsistency("after there was space again")
    }

    private final class LogLines: LineSink {
        private let written = Mutex<[String]>([])
        var all: [String] { written.withLock { $0 } }
        func write(line: String) { written.withLock { $0.append(line) } }
    }
}
