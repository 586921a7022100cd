import Foundation
import Jobs
import Synchronization
import Testing

@testable import Coordinator

@Suite("A dry run")
struct DryRunTests {
    let fixture: CoordinatorFixture

    init() async throws { fixture = try await CoordinatorFixture() }

    /// Every path below the folder with its size and time.
    private func snapshot() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: fixture.folder.path)
        return try names.map { name in
            let facts = try FileManager.default.attributesOfItem(atPath: fixture.folder.path + "/" + name)
            return "\(name) \(facts[.size] ?? "") \(facts[.modificationDate] ?? "")"
        }.sorted()
    }

    private func plan(_ recipe: Recipe = Example.recipe) async throws -> (PlanCounts, [DryRun.Event]) {
        let events = Mutex<[DryRun.Event]>([])
        let counts = try await DryRun.plan(
            sources: [Array(fixture.archive.utf8), Array("/none/at/all".utf8)], library: fixture.library,
            recipes: { _ in [recipe] }
        ) { event, _ in events.withLock { $0.append(event) } }
        return (counts, events.withLock { $0 })
    }

    @Test("plans without a library, and creates none")
    func noLibrary() async throws {
        for name in ["a.CR2", "b.NEF", "c.txt"] { try fixture.folder.file("archive/\(name)") }
        let before = try snapshot()
        let (counts, events) = try await plan()
        #expect(counts.new == 2 && counts.skipped.notRaw == 1 && counts.unreadable == 1)
        #expect(events.count == 4)
        #expect(try snapshot() == before)
    }

    @Test("plans against the ledger and changes nothing in it")
    func withLedger() async throws {
        for name in ["a.CR2", "b.NEF"] { try fixture.folder.file("archive/\(name)") }
        let worker = FakeWorker(fixture.broker) { job in
            "\(job.source.raw.file)".contains("a.CR2") ? Example.failed() : Example.completed()
        }
        _ = try await worker.during { try await fixture.run(fixture.request()) }
        try fixture.folder.file("archive/new.dng")
        let before = try snapshot()
        let (counts, _) = try await plan()
        #expect(counts.new == 1 && counts.unchanged == 1 && counts.failedBefore == 1)
        #expect(try await plan(Example.otherRecipe).0.stale == [.recipe: 2])
        #expect(try snapshot() == before)
    }
}
