import Broker
import Database
import Foundation
import Library
import LibraryFixtures
import Manifests
import Storage
import Telemetry
import Testing

@testable import Catalogue
@testable import Library

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

    @Test("Names whose links could not be made stay noted, and the next start makes them")
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
}
