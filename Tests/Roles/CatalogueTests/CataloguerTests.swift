import Broker
import Digest
import ExternalTools
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Records
import SeededRandom
import Selection
import Storage
import Synchronization
import Telemetry
import Testing

@testable import Catalogue

@Suite("The cataloguer", .timeLimit(.minutes(2))) struct CataloguerTests {
    let fixture: LibraryFixture
    let sources: Root
    let roots: Roots
    let settings = CatalogueSettings(maxWait: .milliseconds(20), retryPause: .milliseconds(5))

    init() throws {
        fixture = try LibraryFixture()
        sources = try fixture.root("archive")
        roots = Roots(["archive": sources])
    }

    func send(_ manifests: [Manifest], over broker: any Transport) async throws {
        try await broker.create(Topics.local)
        let producer = try await broker.producer()
        let records = manifests.map { Record(key: $0.source.fingerprint.bytes, value: $0.encoded()) }
        _ = try await producer.send(records, to: Topics.manifests)
        await producer.close()
    }

    /// Runs a cataloguer until it has merged all records.
    @discardableResult
    func catchUp(
        _ broker: any Transport, _ each: @escaping @Sendable (ManifestMergeResult) -> Void = { _ in }
    ) async throws -> CatalogueTotals {
        let cataloguer = Cataloguer(transport: broker, library: fixture.libraryPath, roots: roots, settings: settings)
        try await cataloguer.open()
        async let totals = cataloguer.run { $0.manifests.forEach(each) }
        while try await !cataloguer.progress().isCaughtUp { try await Task.sleep(for: .milliseconds(2)) }
        cataloguer.stop()
        return try await totals
    }

    @Test("It merges the topic, reports which photo is shown where, and continues at its offset")
    func run() async throws {
        let broker = try await EmbeddedBroker.inMemory()
        let manifests = try fixture.variedManifests(sources: sources)
        try await send(Array(manifests.prefix(8)), over: broker)
        let shown = Mutex<Set<String>>([])
        let first = try await catchUp(broker) { merged in
            for frame in merged.frames { if let path = frame.photo { shown.withLock { _ = $0.insert("\(path)") } } }
        }
        #expect(first.manifests == 8 && first.added == 9 && first.refused == 0)
        #expect(shown.withLock { $0 }.contains("photos/archive/2019/IMG_1.mono.jpg"))

        try await send(Array(manifests.dropFirst(8)), over: broker)
        let second = try await catchUp(broker)
        #expect(second.manifests == 4 && second.added == 4)
        try fixture.expectConsistency("two runs")
    }

    @Test("A record that is not a manifest becomes a dead letter, and the others are merged")
    func garbage() async throws {
        let broker = try await EmbeddedBroker.inMemory()
        try await broker.create(Topics.local)
        let producer = try await broker.producer()
        var numbers = SeededGenerator(seed: 5)
        let records = (0..<50).map { index in
            Record(
                key: [UInt8(index)],
                value: index == 0 ? nil : (0..<index * 7).map { _ in UInt8.random(in: 0...255, using: &numbers) })
        }
        _ = try await producer.send(records, to: Topics.manifests)
        let good = try Manifest([try fixture.render(Shot("a", path: "IMG_1.CR2"))], finished: 1)
        try await send([good], over: broker)
        let totals = try await catchUp(broker)
        #expect(totals.unreadable == 50 && totals.added == 1)
        let reader = try await broker.reader(topic: Topics.deadLetter, from: [:])
        let letters = try await reader.poll(limit: 100, wait: .milliseconds(200))
        #expect(letters.count == 50)
        for letter in letters {
            let parked = try DeadLetter(record: letter.record.value ?? [])
            #expect(parked.topic == Topics.manifests && parked.failure.reason != .internalError)
            #expect(records.contains { $0.key == parked.key && $0.value == parked.value })
        }
    }

    @Test("Only a manifest that names misplaced or missing files is refused")
    func refused() async throws {
        let broker = try await EmbeddedBroker.inMemory()
        let good = try fixture.render(Shot("a", path: "IMG_1.CR2"))
        let missing = try fixture.render(Shot("b", path: "IMG_2.CR2"))
        try FileManager.default.removeItem(atPath: "\(fixture.libraryPath)/\(missing.photo.path)")
        let hostile = try fixture.render(Shot("c", path: "IMG_3.CR2"))
        let secret = try #require(RelativePath("library.sqlite"))
        let misplaced = hostile.with(
            photo: ProducedFile(
                path: secret, digest: hostile.photo.digest, sizeBytes: hostile.photo.sizeBytes, size: nil))
        try await send(try [good, missing, misplaced].map { try Manifest([$0], finished: 1) }, over: broker)
        let totals = try await catchUp(broker)
        #expect(totals.added == 1 && totals.refused == 2)
        #expect(fixture.files(below: "photos") == ["photos/archive/IMG_1.velvet.jpg"])
    }

    /// The cataloguer's results.
    func results(_ broker: any Transport) async throws -> [JobResults] {
        let reader = try await broker.reader(topic: Topics.results, from: [:])
        defer { Task { await reader.close() } }
        return try await reader.poll(limit: 1000, wait: .milliseconds(100)).map {
            try JobResults(record: $0.record.value ?? [])
        }
    }

    @Test("Every manifest gets a result: catalogued with its asset, failed with the failure, refused with the reason")
    func answers() async throws {
        let broker = try await EmbeddedBroker.inMemory()
        let good = try fixture.render(Shot("a", path: "IMG_1.CR2").with { $0.degraded = "too green" })
        let lost = try fixture.render(Shot("b", path: "IMG_2.CR2"))
        try FileManager.default.removeItem(atPath: "\(fixture.libraryPath)/\(lost.photo.path)")
        let manifests = try [good, lost].map { try Manifest([$0], finished: 1) }
        let failure = Failure(.corrupt, "cut")
        let failed = Manifest(
            ending: Job(batch: .random(), source: manifests[0].source, recipe: manifests[0].recipe), attempts: 2,
            worker: "w", finishedMilliseconds: 1, outcome: .failed(failure))
        try await send(manifests + [failed], over: broker)
        try await catchUp(broker)
        let said = try await results(broker)
        let outcomes = Dictionary(
            said.flatMap(\.results).map { ("\($0.file.path) \($0.worker)", $0.outcome) }, uniquingKeysWith: { $1 })
        #expect(outcomes["IMG_1.CR2 test"] == .catalogued(asset: good.asset, degraded: "too green"))
        #expect(outcomes["IMG_1.CR2 w"] == .failed(failure))
        guard case .refused(let refusal)? = outcomes["IMG_2.CR2 test"] else {
            Issue.record("not refused: \(outcomes)")
            return
        }
        #expect(refusal.code == "missing-file" && refusal.message.contains("\(lost.photo.path)"))
        let cluster = try await broker.clusterID()
        let written = try await broker.watermarks(topic: Topics.manifests).mapValues(\.upperBound).filter {
            $0.value > 0
        }
        #expect(said.last?.cluster == cluster && said.last?.answered == written)
    }

    @Test("A result that was not published due to a kill is published at the next start", arguments: [false, true])
    func resultsSurvive(isPublished: Bool) async throws {
        struct Kill: Error {}
        let broker = try await EmbeddedBroker.inMemory()
        try await send([try Manifest([try fixture.render(Shot("a", path: "IMG_1.CR2"))], finished: 1)], over: broker)
        let dying = Cataloguer(broker, fixture.libraryPath, nil, roots, settings, .silent) { step in
            if step == (isPublished ? .resultsPublished : .committed) { throw Kill() }
        }
        await #expect(throws: Kill.self) { try await dying.run() }
        await dying.close()
        #expect(try await results(broker).flatMap(\.results).count == (isPublished ? 1 : 0))
        let next = Cataloguer(transport: broker, library: fixture.libraryPath, roots: roots, settings: settings)
        async let totals = next.run()
        let deadline = ContinuousClock.now + .seconds(60)
        while try await results(broker).flatMap(\.results).count < (isPublished ? 2 : 1), ContinuousClock.now < deadline
        {
            try await Task.sleep(for: .milliseconds(5))
        }
        next.stop()
        #expect(try await totals.manifests == 0)
        await next.close()
        // The result that is known to be durable is removed from the library.
        #expect(try LibraryStore(folder: fixture.libraryPath, mode: .read).tables.results.next(limit: 9).isEmpty)
    }

    @Test("The ledger's precedence decides which edit is shown, not a worker's clock a month ahead")
    func clockAhead() async throws {
        let broker = try await EmbeddedBroker.inMemory()
        let shot = Shot("a", path: "IMG_1.CR2")
        let later = shot.with { $0.edit = 80 }
        let monthAhead = Int64(Date().timeIntervalSince1970 * 1000) + 2_600_000_000
        func manifest(_ shot: Shot, finished: Int64, precedence: Int64) throws -> Manifest {
            let made = try Manifest([try fixture.render(shot)], finished: finished)
            return Manifest(
                job: made.job, batch: made.batch, round: 0, source: made.source, recipe: made.recipe,
                originals: made.originals, attempts: 1, worker: "w", finishedMilliseconds: finished,
                precedence: precedence, outcome: made.outcome)
        }
        // The first two are from versions without precedence: a future time counts as now, and hides no later edit.
        let manifests = try [
            manifest(shot, finished: monthAhead, precedence: 0),
            manifest(later, finished: 1, precedence: monthAhead - 2_500_000_000),
        ]
        try await send(manifests, over: broker)
        try await catchUp(broker)
        let shown = { try LibraryStore(folder: fixture.libraryPath, mode: .read) }
        var keys: [RenditionKey] = []
        try shown().photos.each { keys.append($0.key) }
        #expect(keys == [later.key])
        try await send([try manifest(shot, finished: 2, precedence: monthAhead)], over: broker)
        try await catchUp(broker)
        keys = []
        try shown().photos.each { keys.append($0.key) }
        #expect(keys == [shot.key])
        #expect(try await results(broker).last?.highestPrecedence == monthAhead)
    }

    @Test("A broker that lost everything is read from its beginning")
    func newCluster() async throws {
        let manifests = try fixture.variedManifests(sources: sources)
        let first = try await EmbeddedBroker.inMemory()
        try await send(Array(manifests.prefix(10)), over: first)
        try await catchUp(first)
        let second = try await EmbeddedBroker.inMemory()
        try await send(Array(manifests.suffix(3)), over: second)
        let totals = try await catchUp(second)
        #expect(totals.manifests == 3 && totals.repeated == 1 && totals.added == 2)
    }

    @Test("A second cataloguer on one library is refused, naming the process of the first")
    func two() async throws {
        let broker = try await EmbeddedBroker.inMemory()
        let first = Cataloguer(transport: broker, library: fixture.libraryPath, roots: roots)
        try await first.open()
        let second = Cataloguer(transport: broker, library: fixture.libraryPath, roots: roots)
        let error = await #expect(throws: LibraryError.self) { try await second.open() }
        guard case .busy(_, let holder) = error else {
            Issue.record("not busy: \(String(describing: error))")
            return
        }
        #expect(holder?.process == ProcessInfo.processInfo.processIdentifier && holder?.host != nil)
        try await first.open()
    }

    @Test("Ten thousand manifests, a thousand of them delivered twice, are ten thousand photos", .night)
    func scale() async throws {
        let broker = try await EmbeddedBroker.inMemory()
        let shots = (0..<10_000).map { Shot("\($0)", path: "\($0 / 500)/IMG_\($0 % 400).CR2") }
        var manifests: [Manifest] = []
        for (index, shot) in shots.enumerated() {
            let rendition = try fixture.render(shot, bytes: tinyJPEG)
            manifests.append(try Manifest([rendition], finished: Int64(index)))
        }
        for start in stride(from: 0, to: manifests.count, by: 1000) {
            try await send(Array(manifests[start..<start + 1000]), over: broker)
        }
        try await send(Array(manifests.prefix(1000)), over: broker)
        let totals = try await catchUp(broker)
        #expect(totals.manifests == 11_000 && totals.added == 10_000 && totals.repeated == 1000)
        #expect(fixture.files(below: "photos").count == 10_000)
        let counts = try LibraryStore(folder: fixture.libraryPath, mode: .read).counts()
        #expect(counts.assets == 10_000 && counts.photos == 10_000)
    }
}

extension Rendition {
    fileprivate func with(photo: ProducedFile) -> Rendition {
        Rendition(
            asset: asset, frame: frame, recipe: recipe, engine: engine, photo: photo, preview: preview,
            original: original, facts: PhotoFacts(make: facts.make, model: facts.model), photoBase: photoBase)
    }
}
