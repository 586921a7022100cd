import Broker
import Jobs
import Manifests
import Records
import Synchronization

@testable import Coordinator

/// A library, an archive and an in-memory broker for runs, in a temporary folder.
struct CoordinatorFixture: Sendable {
    let folder: TemporaryFolder
    let broker: EmbeddedBroker

    init() async throws {
        folder = try TemporaryFolder()
        try folder.folder("archive")
        try TestLedger.choose(for: folder.path + "/library")
        broker = try await EmbeddedBroker.inMemory()
        try await broker.create(Topics.local)
    }

    var archive: String { folder.path + "/archive" }
    var library: String { folder.path + "/library" }
    var ledgerLocation: LedgerLocation { get throws { try LedgerLocation(library: library) } }

    static var settings: RunSettings {
        var settings = RunSettings(workersGroup: FakeWorker.group)
        settings.quietPeriod = .milliseconds(50)
        settings.refusalDelays = [.milliseconds(50), .milliseconds(50)]
        settings.acceptBatchSize = 3
        settings.sendBatchSize = 2
        return settings
    }

    func request(_ submission: Submission = Example.submission()) -> RunRequest {
        RunRequest(sources: [Array(archive.utf8)], submission: submission)
    }

    func run(
        _ request: RunRequest?, on transport: (any Transport)? = nil, settings: RunSettings = settings,
        events: RecordedEvents = RecordedEvents()
    ) async throws -> RunResult {
        let run = CoordinatorRun(
            ledger: try await Ledger.open(library: library), transport: transport ?? broker, library: library,
            settings: settings,
            report: { events.add($0) })
        return try await run.run(request.map { [$0] } ?? [])
    }

    /// The dead letters in the topic.
    func letters() async throws -> [DeadLetter] {
        let count = try await broker.watermarks(topic: Topics.deadLetter)[0]?.upperBound ?? 0
        return try await broker.withReader(topic: Topics.deadLetter, from: [:]) { reader in
            var letters: [DeadLetter] = []
            while letters.count < count {
                letters += try await reader.poll(limit: 100, wait: .seconds(1)).map {
                    try DeadLetter(record: $0.record.value ?? [])
                }
            }
            return letters
        }
    }

    func ledger<Value>(_ body: (LedgerStore) throws -> Value) throws -> Value {
        try body(try LedgerStore(at: ledgerLocation))
    }
}

/// Records the events of a run.
final class RecordedEvents: Sendable {
    private let events = Mutex<[RunEvent]>([])

    func add(_ event: RunEvent) { events.withLock { $0.append(event) } }
    var all: [RunEvent] { events.withLock { $0 } }

    var ended: [(String, JobState)] {
        all.compactMap {
            if case .ended(let result, let state) = $0 { ("\(result.file.path)", state) } else { nil }
        }
    }
    var refused: [(String, Duration?)] {
        all.compactMap {
            if case .refusedByLibrary(let result, _, let delay) = $0 { ("\(result.file.path)", delay) } else { nil }
        }
    }
    var sentAgain: Int { all.reduce(0) { if case .sentAgain(let count) = $1 { $0 + count } else { $0 } } }
    var foundOpenJobs: Int? {
        all.lazy.compactMap { if case .foundOpenJobs(let count) = $0 { count } else { nil } }.first
    }
}
