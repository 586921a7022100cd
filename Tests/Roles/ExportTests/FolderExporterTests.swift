import Broker
import Digest
import Foundation
import Jobs
import Manifests
import Records
import Storage
import Synchronization
import Testing

@testable import Export

@Suite("Placing photos in a folder") final class FolderExporterTests {
    private let folder: URL
    private let broker: EmbeddedBroker
    private let batch = BatchID.random()

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)")
        let hidden = folder.appending(path: "state/.rawmill")
        try FileManager.default.createDirectory(at: hidden, withIntermediateDirectories: true)
        broker = try await EmbeddedBroker.open(path: hidden.appending(path: "broker.sqlite").path)
        try await broker.create(Topics.local)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var out: URL { folder.appending(path: "out") }
    private var state: Root { get throws { try Root(path: folder.appending(path: "state").path) } }

    /// Writes the photo and its manifest as a worker does.
    private func render(_ shot: ExportedShot, round: UInt32 = 0) async throws {
        let rendition = try shot.rendition
        _ = try state.publish(Array(shot.photo.utf8), at: rendition.photo.path.bytes, existing: .replace)
        try await publish(shot, round: round)
    }

    private func publish(_ shot: ExportedShot, round: UInt32 = 0) async throws {
        let job = Job(batch: batch, round: round, source: try shot.source, recipe: try shot.recipe)
        let manifest = Manifest(
            ending: job, attempts: 1, worker: "w", finishedMilliseconds: 1, outcome: .completed([try shot.rendition]))
        try await broker.withProducer {
            _ = try await $0.send([Record(key: job.id.digest.bytes, value: manifest.encoded())], to: Topics.manifests)
        }
    }

    /// Runs an exporter until it has read every manifest, as a new process would.
    ///
    /// - Returns: the result of each photo, and the jobs whose photos were missing before.
    @discardableResult
    private func export(
        _ conflict: NameConflict = .rename, template: NameTemplate = .usual
    ) async throws -> (placements: [PhotoPlacement], missing: Set<JobID>) {
        let exporter = FolderExporter(
            transport: broker, folder: try Root(path: out.path, creating: true), state: try state)
        try await exporter.open()
        let source = ExportOrder.Folder(root: try #require(RootName("raw")), path: [], prefix: [])
        try await exporter.register(
            ExportOrder(
                template: template, conflict: conflict, label: "", folders: [source]), for: batch)
        let missing = try await exporter.missingJobs()
        let placements = Mutex<[PhotoPlacement]>([])
        if try await exporter.lag() > 0 {
            try await exporter.run { jobs in
                placements.withLock { $0 += jobs.flatMap(\.placements) }
                if try await exporter.lag() == 0 { exporter.stop() }
            }
        }
        try await exporter.close(isDone: false)
        return (placements.withLock { $0 }, missing)
    }

    private var files: [String: String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: out.path)) ?? []
        let pairs = names.compactMap { name in
            (try? String(contentsOf: out.appending(path: name), encoding: .utf8)).map { (name, $0) }
        }
        return Dictionary(pairs) { $1 }
    }

    private func write(_ text: String, _ name: String) throws {
        let file = out.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private let name = "2024/may/IMG_1.mono.jpg"

    @Test("A photo moves into the folder once, however often its manifest is read")
    func once() async throws {
        try await render(ExportedShot())
        try await export()
        #expect(files == [name: "photo"])
        try await publish(ExportedShot())
        let (placements, missing) = try await export()
        #expect(files == [name: "photo"] && missing.isEmpty)
        #expect(placements == [.placed(Array(name.utf8))])
        #expect(try state.factsIfPresent(of: ExportedShot().rendition.photo.path.bytes) == nil)
    }

    @Test("For a foreign file of the name, the photo is numbered, skipped or replaces it, as the user chooses")
    func conflicts() async throws {
        try write("theirs", name)
        try await render(ExportedShot())
        try await export()
        #expect(files == [name: "theirs", "2024/may/IMG_1.mono-2.jpg": "photo"])
        let other = ExportedShot(exposure: 1, photoText: "other")
        try await render(other)
        let skipped = try await export(.skip).placements
        #expect(files[name] == "theirs")
        #expect(skipped == [.skipped(Array(name.utf8))])
        let third = ExportedShot(exposure: 2, photoText: "third")
        try await render(third)
        try await export(.replace)
        #expect(files[name] == "third")
    }

    @Test("A RAW that changed gives its photo the same name, unless a user changed the photo")
    func newerState() async throws {
        try await render(ExportedShot())
        try await export()
        var next = ExportedShot()
        (next.modified, next.photo) = (2, "newer")
        try await render(next)
        try await export()
        #expect(files == [name: "newer"])
        try write("edited", name)
        (next.modified, next.photo) = (3, "newest")
        try await render(next)
        try await export()
        #expect(files == [name: "edited", "2024/may/IMG_1.mono-2.jpg": "newest"])
    }

    @Test("A photo with a number keeps that name when its RAW changes, even if the first one is free")
    func numberedState() async throws {
        try write("theirs", name)
        try await render(ExportedShot())
        try await export()
        try FileManager.default.removeItem(at: out.appending(path: name))
        var next = ExportedShot()
        (next.modified, next.photo) = (2, "newer")
        try await render(next)
        try await export()
        #expect(files == ["2024/may/IMG_1.mono-2.jpg": "newer"])
    }

    @Test("A link or a folder with the name stays, and the photo gets a number; the link's target also stays")
    func links() async throws {
        let outside = folder.appending(path: "outside.txt")
        try Data("outside".utf8).write(to: outside)
        try write("inside", "2024/may/IMG_2.mono.jpg/inside.txt")
        try FileManager.default.createSymbolicLink(
            at: out.appending(path: name), withDestinationURL: outside)
        try await render(ExportedShot())
        try await render(ExportedShot(path: "2024/may/IMG_2.CR3", base: "IMG_2", photo: "second"))
        for conflict in [NameConflict.rename, .replace] {
            let placements = try await export(conflict).placements
            #expect(!placements.contains { if case .failed = $0 { true } else { false } })
        }
        #expect(files["2024/may/IMG_1.mono-2.jpg"] == "photo" && files["2024/may/IMG_2.mono-2.jpg"] == "second")
        #expect(try String(contentsOf: outside, encoding: .utf8) == "outside")
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: out.appending(path: name).path)
        #expect(target == outside.path)
    }

    @Test("Files of an exporter that was killed during a replacement are removed; a user's file is not")
    func leftAside() async throws {
        try await render(ExportedShot())
        try await export()
        try write("photo", "2024/may/.rawmill-IMG_1.mono.jpg.aside")
        var next = ExportedShot()
        (next.modified, next.photo) = (2, "newer")
        try await render(next)
        try await export()
        #expect(files == [name: "newer"])
        try write("a person's", "2024/may/.rawmill-IMG_1.mono.jpg.aside")
        (next.modified, next.photo) = (3, "newest")
        try await render(next)
        try await export()
        #expect(files == [name: "newest", "2024/may/IMG_1.mono (kept).jpg": "a person's"])
    }

    @Test("Two RAWs never share a name, even if existing files are replaced")
    func flat() async throws {
        for number in 1...3 {
            try await render(ExportedShot(path: "\(number)/IMG_1.CR3", photo: "photo \(number)"))
        }
        try await export(.replace, template: NameTemplate("{base}"))
        #expect(files == ["IMG_1.jpg": "photo 1", "IMG_1-2.jpg": "photo 2", "IMG_1-3.jpg": "photo 3"])
    }

    @Test("A photo whose object another one took is copied from that one's file")
    func duplicates() async throws {
        let first = ExportedShot()
        try await render(first)
        try await export()
        // The same bytes elsewhere: one rendition, which the first has taken.
        var second = first
        second.path = "best/IMG_1.CR3"
        try await publish(second)
        try await export()
        #expect(files == [name: "photo", "best/IMG_1.mono.jpg": "photo"])
    }

    /// The exporter's reports to the coordinator.
    private func results() async throws -> [JobResult] {
        var results: [JobResult] = []
        let reader = try await broker.reader(topic: Topics.results, from: [:])
        while true {
            let deliveries = try await reader.poll(limit: 100, wait: .milliseconds(20))
            if deliveries.isEmpty { break }
            for delivery in deliveries { results += try JobResults(record: delivery.record.value ?? []).results }
        }
        await reader.close()
        return results
    }

    @Test("A missing photo is reported, and one whose rendition is lost is rendered again")
    func missing() async throws {
        try await render(ExportedShot())
        try await export()
        try FileManager.default.removeItem(at: out.appending(path: name))
        let job = Job(batch: batch, source: try ExportedShot().source, recipe: try ExportedShot().recipe)
        #expect(try await export().missing == [job.id])
        try await publish(ExportedShot(), round: 1)
        #expect(try await export().placements == [.lost])
        // The coordinator sends it again.
        let outcome = try await results().last?.outcome
        guard case .refused(let refusal)? = outcome else {
            Issue.record("\(outcome as Any)")
            return
        }
        #expect(refusal.code == "missing-file")
        #expect(try await export().missing == [job.id])
        try await render(ExportedShot(), round: 2)
        #expect(try await export().placements == [.placed(Array(name.utf8))])
        #expect(files == [name: "photo"])
    }

    @Test("A folder that is a link out of the export's folder gets no photo, and this is reported")
    func linkOut() async throws {
        let elsewhere = folder.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: out.appending(path: "2024"), withDestinationURL: elsewhere)
        try await render(ExportedShot())
        let placements = try await export().placements
        guard case .failed(let problem) = placements.first else {
            Issue.record("\(placements)")
            return
        }
        #expect(problem.contains(name))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: elsewhere.path).isEmpty)
    }
}

extension ExportedShot {
    fileprivate init(exposure: Double, photoText: String) {
        self.init(photo: photoText, exposure: exposure)
    }
}
