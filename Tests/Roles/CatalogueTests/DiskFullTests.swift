import Broker
import Database
import Foundation
import Library
import Manifests
import Storage
import Telemetry
import Testing

@testable import Catalogue
@testable import Library

@Suite("A full disk") struct DiskFullTests {
    @Test("stops the cataloguer with a reason and a remedy, and loses nothing", arguments: 0...6)
    func database(pagesLeft: Int) throws {
        let folder = try TestFolder()
        let darkroom = try CatalogueFixture(folder)
        let archive = try folder.root("archive")
        let manifests = try variedManifests(darkroom, sources: archive)
        let merging = Merging(folder: folder, roots: Roots(["archive": archive]))
        try merging.run(Array(manifests.prefix(3)))
        let before = try content(of: folder.library)

        do {
            let store = try LibraryStore(folder: folder.library, mode: .write)
            let pages = try store.connection.first("PRAGMA page_count") { $0.integer(0) } ?? 0
            try store.connection.each("PRAGMA max_page_count = \(pages + Int64(pagesLeft))") { _ in }
            let merger = BatchMerger(
                store: store, topic: merging.topic, roots: merging.roots, log: .silent, onStep: { _ in })
            // One manifest a photo, many times over: more than a few pages hold.
            let flood = try (0..<200).map { number in
                let shot = CatalogueFixture.Shot("flood \(number)", path: "flood/IMG_\(number).CR2")
                return try Manifest([try darkroom.develop(shot, alike: tinyJPEG)], finished: 9)
            }
            let error = #expect(throws: LibraryError.self) { try merger.merge(read(flood), next: [0: 203]) }
            #expect(error?.kind == .diskFull)
            #expect("\(try #require(error))".contains("Free some space"))
        }
        #expect(try content(of: folder.library) == before)
        try merging.run(manifests)
        try expectRowsAndFilesToAgree(folder, "after there was space again")
    }

    func read(_ manifests: [Manifest]) -> [ManifestDelivery] {
        manifests.enumerated().map { index, manifest in
            let partition = TopicPartition(topic: Topics.manifests, partition: 0)
            return ManifestDelivery(
                manifest: manifest, position: Position(partition: partition, offset: Int64(3 + index)))
        }
    }

    @Test("while links are made: the names stay noted, and the next start makes them")
    func links() throws {
        let folder = try TestFolder()
        let darkroom = try CatalogueFixture(folder)
        let archive = try folder.root("archive")
        let manifests = try variedManifests(darkroom, sources: archive)
        let merging = Merging(folder: folder, roots: Roots(["archive": archive]))
        var linked = 0
        let error = #expect(throws: LibraryError.self) {
            try merging.run(manifests, batch: 20) { step in
                guard case .settled = step else { return }
                linked += 1
                if linked == 4 { throw StorageError(.diskFull, "link", Array("photos/x".utf8)) }
            }
        }
        #expect(error?.kind == .diskFull)
        try merging.run([])
        try expectRowsAndFilesToAgree(folder, "after there was space again")
    }
}
