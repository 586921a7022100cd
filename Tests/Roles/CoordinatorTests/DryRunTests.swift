import Foundation
import Jobs
import Synchronization
import Testing

@testable import Coordinator

@Suite("A dry run")
struct DryRunTests {
    let bench: Bench

    init() async throws { bench = try await Bench() }

    /// Every path below the folder with its size and times.
    private func picture() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: bench.folder.path)
        return try names.map { name in
            let facts = try FileManager.default.attributesOfItem(atPath: bench.folder.path + "/" + name)
            return "\(name) \(facts[.size] ?? "") \(facts[.modificationDate] ?? "")"
        }.sorted()
    }

    private func plan(_ recipe: Recipe = Make.recipe) async throws -> (PlanCounts, [DryRun.Event]) {
        let events = Mutex<[DryRun.Event]>([])
        let counts = try await DryRun.plan(
            sources: [Array(bench.archive.utf8), Array("/none/at/all".utf8)], library: bench.library,
            recipe: { _ in recipe }
        ) { event, _ in events.withLock { $0.append(event) } }
        return (counts, events.withLock { $0 })
    }

    @Test("plans without a library, and makes none")
    func noLibrary() async throws {
        for name in ["a.CR2", "b.NEF", "c.txt"] { try bench.folder.file("archive/\(name)") }
        let before = try picture()
        let (counts, events) = try await plan()
        #expect(counts.new == 2 && counts.passed.notRaw == 1 && counts.unreadable == 1)
        #expect(events.count == 3)
        #expect(try picture() == before)
    }

    @Test("plans against the ledger and changes nothing in it")
    func withLedger() async throws {
        for name in ["a.CR2", "b.NEF"] { try bench.folder.file("archive/\(name)") }
        let worker = FakeWorker(bench.broker) { job in
            "\(job.source.raw.file)".contains("a.CR2") ? Make.failed() : Make.completed()
        }
        _ = try await worker.during { try await bench.run(bench.request()) }
        try bench.folder.file("archive/new.dng")
        let before = try picture()
        let (counts, _) = try await plan()
        #expect(counts.new == 1 && counts.unchanged == 1 && counts.failedBefore == 1)
        #expect(try await plan(Make.otherRecipe).0.stale == [.recipe: 2])
        #expect(try picture() == before)
    }
}
