import Broker
import Digest
import Foundation
import Glibc
import Jobs
import Looks
import Manifests
import Pixels
import Records
import RenderHost
import RenderJobs
import Samples
import Storage
import Synchronization
import Testing

@testable import Worker

/// An archive of RAWs, a library, and a broker in memory, for one test.
final class WorkerFixture: Sendable {
    let folder: String
    let archive: Root
    let library: Root
    let broker: EmbeddedBroker
    let batch = BatchID.random()

    init(_ topics: [Topic] = Topics.local) async throws {
        folder = FileManager.default.temporaryDirectory.path + "/rawmill-worker-\(UUID())"
        archive = try Root(path: folder + "/archive", creating: true)
        library = try Root(path: folder + "/library", creating: true)
        broker = try await EmbeddedBroker.inMemory()
        try await broker.create(topics)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var roots: Roots { Roots(["archive": archive, "library": library]) }

    /// The render program, built beside the tests.
    static var program: String {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundlePath
        let here = URL(fileURLWithPath: bundle ?? CommandLine.arguments[0])
        return here.deletingLastPathComponent().appending(path: "rawmill-render").path
    }

    var settings: WorkerSettings {
        var settings = WorkerSettings(name: "tester", slots: 2)
        settings.program = RenderProgram(path: Self.program, level: nil)
        settings.retryDelay = .milliseconds(50)
        settings.heartbeatInterval = nil
        return settings
    }

    func put(_ bytes: [UInt8], at path: String) throws -> FileStamp {
        _ = try archive.publish(bytes, at: Array(path.utf8), existing: .replace, isDurable: false)
        return try stamp(path)
    }

    func stamp(_ path: String) throws -> FileStamp {
        let facts = try archive.facts(of: Array(path.utf8))
        return FileStamp(
            file: FileReference(root: try #require(RootName("archive")), path: try #require(RelativePath(path))),
            sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
    }

    /// The file with a fixed modification time, because renditions record the time of their source.
    func dated(_ raw: FileStamp) throws -> FileStamp {
        let path = raw.file.path.description
        let times = [timespec](repeating: timespec(tv_sec: 1_700_000_000, tv_nsec: 0), count: 2)
        try #require(utimensat(AT_FDCWD, archive.path + "/" + path, times, 0) == 0)
        return try stamp(path)
    }

    func sample(_ index: Int, megapixels: Double = 0.1) throws -> FileStamp {
        try put(Sample.dng(index: index, size: Sample.size(megapixels: megapixels)), at: Sample.name(index))
    }

    func job(_ raw: FileStamp, lane: Lane = .bulk, originals: OriginalsPolicy = .reference) throws -> Job {
        let look = try LookCatalogue.builtIn.look("neutral")
        let reference = try #require(LookReference(name: look.name, version: look.version, digest: look.digest))
        return Job(
            batch: batch, source: Source(raw: raw, photoBase: raw.file.path.name), recipe: Recipe(look: reference),
            lane: lane, originals: originals)
    }

    func submit(_ jobs: [Job], to other: EmbeddedBroker? = nil, headers: [Header] = []) async throws {
        let producer = try await (other ?? broker).producer()
        for job in jobs {
            let record = Record(
                key: job.source.fingerprint.bytes, value: job.encoded(), headers: headers)
            let topic = job.lane == .interactive ? Topics.interactiveJobs : Topics.bulkJobs
            _ = try await producer.send([record], to: topic)
        }
    }

    func records(_ topic: String, of other: EmbeddedBroker? = nil) async throws -> [Delivery] {
        let reader = try await (other ?? broker).reader(topic: topic, from: [:])
        var all: [Delivery] = []
        while true {
            let deliveries = try await reader.poll(limit: 1000, wait: .zero)
            if deliveries.isEmpty { break }
            all += deliveries
        }
        await reader.close()
        return all
    }

    func manifests(of other: EmbeddedBroker? = nil) async throws -> [Manifest] {
        try await records(Topics.manifests, of: other).map { try Manifest(record: try #require($0.record.value)) }
    }

    func deadLetters() async throws -> [DeadLetter] {
        try await records(Topics.deadLetter).map { try DeadLetter(record: try #require($0.record.value)) }
    }

    /// Records of the topic that the workers have not committed.
    func unfinished(_ topic: String, of other: EmbeddedBroker? = nil) async throws -> Int64 {
        let broker = other ?? broker
        let committed = try await broker.committed(group: WorkerGroup.name(topic: topic), topic: topic)
        return try await broker.watermarks(topic: topic).reduce(0) {
            $0 + $1.value.upperBound - (committed[$1.key] ?? $1.value.lowerBound)
        }
    }

    /// The tracker of a worker on this library and broker.
    func attempts() async throws -> AttemptTracker {
        AttemptTracker(library: library, clusterID: try await broker.clusterID(), maxStarts: 3)
    }

    func createMarker(_ name: [UInt8]) throws -> Bool {
        try MarkerFolder(Array(LibraryLayout.attempts.utf8), in: library).create(name)
    }

    /// Names of all attempt markers.
    func markers() throws -> [String] {
        let folder = Array(".rawmill/attempts".utf8)
        guard try library.factsIfPresent(of: folder) != nil else { return [] }
        return try library.entries(of: folder).map { String(decoding: $0.name, as: UTF8.self) }
    }

    /// Every file below the library's folder, by path, without attempt markers.
    func files() throws -> [String: Data] {
        var all: [String: Data] = [:]
        let base = URL(fileURLWithPath: library.path)
        for name in FileManager.default.subpaths(atPath: library.path) ?? []
        where !name.hasPrefix(LibraryLayout.attempts) {
            var isFolder: ObjCBool = false
            let path = base.appending(path: name).path
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
                all[name] = try Data(contentsOf: URL(fileURLWithPath: path))
            }
        }
        return all
    }

    func slot(_ change: (inout WorkerSettings) -> Void = { _ in }) throws -> RenderSlot {
        var settings = settings
        change(&settings)
        let options = RenderProcessOptions(
            settings: settings.render, memoryLimitBytes: settings.memoryLimitBytes)
        let launch = RenderProcessLaunch(
            program: settings.program.path, library: library.path, inheritsStandardError: false,
            warmUpLimit: .seconds(60))
        let slot = try RenderSlot(number: 0, launch: launch)
        let roots = [try #require(RootName("archive")): archive.path, .library: library.path]
        slot.use(RenderSetup(options: options, roots: roots))
        return slot
    }
}

/// The suites that start render processes. They run one after another, because they count this process's children.
@Suite(.serialized) enum ProcessTests {}

/// Collects the events of a worker.
final class Watcher: Sendable {
    private let seen = Mutex<[WorkerEvent]>([])
    private let onEvent: @Sendable (WorkerEvent) -> Void

    init(_ onEvent: @escaping @Sendable (WorkerEvent) -> Void = { _ in }) { self.onEvent = onEvent }

    func note(_ event: WorkerEvent) {
        seen.withLock { $0.append(event) }
        onEvent(event)
    }

    var events: [WorkerEvent] { seen.withLock { $0 } }

    var ended: [Manifest] {
        events.compactMap { if case .ended(let manifest, _) = $0 { manifest } else { nil } }
    }

    var startedCount: Int { events.filter { if case .started = $0 { true } else { false } }.count }

    func wait(
        seconds: Double = 300, sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @Sendable ([WorkerEvent]) async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while try await !condition(events) {
            try #require(
                ContinuousClock.now < end, "the condition does not hold in time", sourceLocation: sourceLocation)
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

extension WorkerFixture {
    /// Runs a worker until the condition holds, then stops it and waits until the jobs in flight have ended.
    @discardableResult
    func work(
        _ settings: WorkerSettings? = nil, watcher: Watcher = Watcher(),
        sourceLocation: SourceLocation = #_sourceLocation,
        until condition: @Sendable ([WorkerEvent]) async throws -> Bool
    ) async throws -> Watcher {
        let worker = try RenderWorker(
            settings: settings ?? self.settings, transport: broker, roots: roots
        ) { watcher.note($0) }
        let running = Task { try await worker.run() }
        do {
            try await watcher.wait(sourceLocation: sourceLocation, until: condition)
        } catch {
            worker.stop()
            worker.stop()
            _ = await running.result
            throw error
        }
        worker.stop()
        try await running.value
        return watcher
    }
}

func hasEnded(_ count: Int) -> @Sendable ([WorkerEvent]) -> Bool {
    { events in
        events.filter { if case .ended = $0 { true } else { false } }.count >= count
    }
}

/// Process numbers of this process's children that are render processes.
func renderProcesses() -> [pid_t] {
    let all = (try? String(contentsOfFile: "/proc/self/task/\(getpid())/children", encoding: .utf8)) ?? ""
    var found = all.split(separator: " ").compactMap { pid_t($0) }
    for task in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
        let text = (try? String(contentsOfFile: "/proc/self/task/\(task)/children", encoding: .utf8)) ?? ""
        found += text.split(separator: " ").compactMap { pid_t($0) }
    }
    return Set(found).filter { pid in
        let line = (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)) ?? ""
        return line.contains(RenderProcess.command)
    }.sorted()
}
