import Database
import Foundation
import Testing

@testable import rawmill_torture

/// The check of I12 must find errors. Each library is a real one, which is then damaged.
@Suite("The comparison of ledger and library")
struct CatalogueComparisonTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(3, megapixels: 0.05)
        #expect(try workspace.convert().status == 0)
    }

    private func damage(_ sql: String) throws {
        let path = workspace.library.appending(path: "library.sqlite").path
        try Connection(path: path, mode: .readWrite).script(sql)
    }

    private func compare() async throws -> CatalogueComparison {
        try await CatalogueMonitor(library: workspace.library.path).compare()
    }

    /// Its complaints while a cluster is at work.
    private func sample() async -> [String] {
        var monitor = CatalogueMonitor(library: workspace.library.path)
        await monitor.sample()
        #expect(monitor.samples == 1)
        return monitor.complaints
    }

    @Test("accepts an intact library")
    func whole() async throws {
        let comparison = try await compare()
        #expect(comparison.jobs == 3 && comparison.photos == 3 && comparison.complaints.isEmpty)
        #expect(await sample().isEmpty)
    }

    @Test("finds a catalogued job whose row is missing, at the end and during a run")
    func missing() async throws {
        try damage("DELETE FROM renditions WHERE original_path = CAST('sample-0002.dng' AS BLOB)")
        let complaint = "raw/sample-0002.dng is catalogued, and the library has no row of it"
        #expect(try await compare().complaints == [complaint])
        #expect(await sample() == [complaint])
    }

    @Test("finds a row without a catalogued job, only at the end: during a run the library may be ahead of the ledger")
    func superfluous() async throws {
        try damage(
            """
            CREATE TEMP TABLE one AS SELECT * FROM renditions LIMIT 1;
            INSERT INTO assets SELECT max(id) + 1, zeroblob(32) FROM assets;
            INSERT INTO recent_assets SELECT * FROM assets WHERE id = (SELECT max(id) FROM assets);
            UPDATE one SET key = zeroblob(32), asset = (SELECT max(id) FROM assets);
            INSERT INTO renditions SELECT * FROM one;
            """)
        let complaints = try await compare().complaints
        #expect(complaints.count == 1 && complaints[0].contains("no job of it is catalogued"), "\(complaints)")
        #expect(await sample().isEmpty)
    }

    @Test("finds a path of a RAW that the library does not know")
    func unknownPath() async throws {
        try damage("DELETE FROM sightings WHERE path = CAST('sample-0001.dng' AS BLOB)")
        #expect(
            try await compare().complaints == [
                "raw/sample-0001.dng is catalogued, and the library does not know that path of it"
            ])
    }
}
