import Database
import LibraryFixtures
import Manifests
import Testing

@testable import LibraryTables
@testable import PhotoTree
@testable import Selection

/// SQLite's plans for the statements of a merge. A full table scan takes time proportional to the library, which no
/// test of a small library notices.
@Suite("Query plans") struct QueryPlanTests {
    /// Tables that may be scanned: they only have rows of the current work, or one per partition or album.
    private static let small: Set = [
        "unsettled", "n", "u", "doomed", "removed", "results", "offsets", "removals", "albums", "CONSTANT",
    ]

    /// Tests whether a table has any row.
    private static let tellsWhetherEmpty = "SELECT 1 FROM copies LIMIT 1"

    /// The tables that a statement scans.
    private func scanned(_ sql: String, _ connection: Connection) throws -> Set<String> {
        let count = sql.contains("?1") ? 1 : sql.count { $0 == "?" }
        var tables: Set<String> = []
        try connection.each("EXPLAIN QUERY PLAN \(sql)", values: Array(repeating: .null, count: count)) { row in
            let words = row.text(3).split(separator: " ")
            if words.first == "SCAN", words.count > 1 { tables.insert(String(words[1])) }
        }
        return tables
    }

    @Test("No statement of a merge, of links or of a photo's lookups scans a table")
    func merging() throws {
        let fixture = try LibraryFixture(on: .file)
        let manifests = try fixture.variedManifests(sources: try fixture.root("archive"))
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write, metadataProgram: LibraryFixture.program)
        for manifest in manifests + manifests {
            try fixture.mergeRows([manifest], into: store)
            try store.links.updatePending()
        }
        // Of many at once.
        let shots = (0..<20).map { number in
            Shot("raw \(number)", path: "many/IMG_\(number).CR2").with { $0.keywords = ["sea"] }
        }
        for look in ["velvet", "mono", "velvet"] {
            let candidates = try shots.map { shot in
                let rendition = try fixture.render(shot.with { $0.look = look })
                let record = try RenditionRecord(rendition)
                let sighting = Sighting(raw: record.original, photoBase: record.photoBase)
                return PlainMergeCandidate.item(.init(record: record, finished: 5, sighting: sighting))
            }
            _ = try store.transaction { try store.merge(plain: candidates) }
            try store.links.updatePending()
        }
        for shot in shots {
            _ = try store.assets.details(of: shot.asset)
            _ = try store.photos.path(showing: shot.id)
        }
        try store.tables.renditions.database.perform { connection in
            let statements = connection.keptStatements
            #expect(statements.count > 40)
            #expect(statements.contains { $0.contains("LEFT JOIN renditions") })
            for sql in statements where sql != Self.tellsWhetherEmpty {
                let tables = try scanned(sql, connection).subtracting(Self.small)
                #expect(tables.isEmpty, "\(sql)")
            }
        }
    }
}
