import Digest
import Jobs
import LibraryFixtures
import Manifests
import PictureFormat
import SeededRandom
import Testing

@testable import LibraryTables
@testable import PhotoTree
@testable import Selection

@Suite("Photos taken in a burst") struct BurstTests {
    private struct Shot: Hashable {
        let folder: String
        let name: String
        let camera: String
        let captured: String?
        let look: String
        let rating: Int?

        var path: String { "photos/archive/\(folder)/\(name).\(look).jpg" }
    }

    private func record(_ shot: Shot) throws -> RenditionRecord {
        let look = try #require(LookReference(name: shot.look, version: 1, digest: SHA256Value(of: [1])))
        let raw = FileReference(
            root: try #require(RootName("archive")), path: try #require(RelativePath("\(shot.folder)/\(shot.name).NEF"))
        )
        return RenditionRecord(
            asset: SHA256Value(of: Array("\(shot.folder)/\(shot.name)".utf8)), frame: 0,
            recipe: RecipeRecord(Recipe(look: look)), engine: 6,
            photo: FileRecord(digest: SHA256Value(of: Array(shot.path.utf8)), sizeBytes: 1000, size: nil), preview: nil,
            original: FileStamp(file: raw, sizeBytes: 20_000_000, modifiedNanoseconds: 1),
            facts: PhotoFacts(
                make: "NIKON CORPORATION", model: shot.camera, captured: shot.captured, rating: shot.rating),
            photoBase: Array(shot.name.utf8), format: .jpeg)
    }

    private func library(_ shots: [Shot]) throws -> (LibraryFixture, LibraryStore) {
        let fixture = try LibraryFixture()
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        try store.transaction {
            for (number, shot) in shots.enumerated() {
                let record = try record(shot)
                try store.tables.renditions.insert(record, finished: Int64(number))
                try store.tree.place(TreeNaming.photo(record), key: record.key)
            }
        }
        return (fixture, store)
    }

    /// Front and number of all bursts, in pages of a size.
    private func bursts(
        _ store: LibraryStore, _ filter: PhotoFilter = PhotoFilter(), page: Int? = nil
    ) throws -> [[String]] {
        var all: [[String]] = []
        var last: RelativePath?
        var found: Int
        repeat {
            found = 0
            try store.photos.eachBurst(filter, after: last, limit: page) { burst in
                found += 1
                last = burst.front.path
                all.append([burst.front.path.description, "\(burst.count)"])
            }
        } while page != nil && found > 0
        return all
    }

    /// The definition of bursts as a plain function: photos joined by a chain of photos, each at most a second after
    /// the one before it.
    private static func judged(_ shots: [Shot]) -> [[String]] {
        var left = Set(shots)
        var all: [[String]] = []
        while let first = left.popFirst() {
            var burst = [first]
            var next = 0
            while next < burst.count {
                let one = burst[next]
                next += 1
                for other in left where isNear(one, other) {
                    left.remove(other)
                    burst.append(other)
                }
            }
            let front = burst.min { ($1.rating ?? 0, $0.path) < ($0.rating ?? 0, $1.path) } ?? first
            all.append([front.path, "\(burst.count)"])
        }
        return all.sorted { $0[0] < $1[0] }
    }

    private static func isNear(_ a: Shot, _ b: Shot) -> Bool {
        guard (a.folder, a.camera, a.look) == (b.folder, b.camera, b.look),
            let first = a.captured.flatMap({ CaptureSecond($0) }),
            let second = b.captured.flatMap({ CaptureSecond($0) })
        else { return false }
        return abs(first.number - second.number) <= 1
    }

    private static func shots(_ count: Int, _ random: inout SeededGenerator) -> [Shot] {
        var shots: [Shot] = []
        for number in 0..<count {
            // Half of the time is around midnight at the end of a year.
            let second = CaptureSecond("2015:12:31 23:59:30").map {
                $0.number + Int64.random(in: 0..<Int64(count), using: &random)
            }
            let captured = [nil, "0000:00:00 00:00:00"].randomElement(using: &random) ?? nil
            for look in Int.random(in: 0..<3, using: &random) == 0 ? ["mono", "velvet"] : ["mono"] {
                shots.append(
                    Shot(
                        folder: ["2015", "2015/12", "2015/12 x"].randomElement(using: &random) ?? "2015",
                        name: "IMG_\(number)", camera: ["D850", "D70"].randomElement(using: &random) ?? "",
                        captured: Int.random(in: 0..<10, using: &random) == 0
                            ? captured : second.map { CaptureSecond(number: $0).text },
                        look: look, rating: [nil, 0, 0, 0, 3, 5].randomElement(using: &random) ?? nil))
            }
        }
        return shots
    }

    @Test("For any order of photos, bursts match a plain function, in pages of any size, with counts")
    func agreesWithJudge() throws {
        var random = SeededGenerator()
        let shots = Self.shots(120, &random)
        let expected = Self.judged(shots)
        #expect(expected.contains { $0[1] != "1" } && expected.contains { $0[1] == "1" })
        for _ in 0..<3 {
            let (fixture, store) = try library(shots.shuffled(using: &random))
            for page in [nil, 1, 7, 100] {
                #expect(try bursts(store, page: page) == expected, "seed \(random.seed), pages of \(page ?? 0)")
            }
            for interval in [1, 7, 1000] {
                let marks = try store.photos.burstMarks(PhotoFilter(), every: interval)
                #expect(marks.count == expected.count, "seed \(random.seed)")
                #expect(marks.marks.count == shots.count / interval)
                for mark in marks.marks {
                    let before = expected.filter { $0[0] <= mark.path.description }.count
                    #expect(mark.count == before, "seed \(random.seed)")
                }
            }
            withExtendedLifetime(fixture) {}
        }
    }

    @Test("Bursts of a filter contain only its photos")
    func filtered() throws {
        var random = SeededGenerator()
        let shots = Self.shots(90, &random)
        let (fixture, store) = try library(shots)
        let conditions: [(text: String, holds: (Shot) -> Bool)] = [
            ("rating > 2", { ($0.rating ?? 0) > 2 }), ("look = 'velvet'", { $0.look == "velvet" }),
            ("camera = 'd70' and taken = 2015", { $0.camera == "D70" && $0.captured?.hasPrefix("2015") == true }),
        ]
        for (text, holds) in conditions {
            var filter = PhotoFilter(selection: try Selection(text))
            #expect(
                try bursts(store, filter, page: 5) == Self.judged(shots.filter(holds)), "seed \(random.seed): \(text)")
            filter.folder = RelativePath("photos/archive/2015/12")
            let inFolder = shots.filter { holds($0) && $0.folder == "2015/12" }
            #expect(try bursts(store, filter) == Self.judged(inFolder), "seed \(random.seed): \(text)")
            #expect(try store.photos.burstMarks(filter, every: 100).count == Self.judged(inFolder).count)
        }
        withExtendedLifetime(fixture) {}
    }

    @Test("The language selects exactly the photos of a photo's burst")
    func selected() throws {
        func shot(_ name: String, _ second: Int, folder: String = "a", look: String = "mono") -> Shot {
            Shot(
                folder: folder, name: name, camera: "D850", captured: "2015:06:01 10:00:\(second)", look: look,
                rating: nil)
        }
        let shots = [
            shot("1", 10), shot("2", 10), shot("3", 11), shot("4", 12), shot("5", 14), shot("2", 10, look: "velvet"),
            shot("3", 11, look: "velvet"), shot("3", 11, folder: "a/b"), shot("x", 10, folder: "it's"),
        ]
        let (fixture, store) = try library(shots)
        func found(_ text: String) throws -> [String] {
            var paths: [String] = []
            try store.photos.each(PhotoFilter(selection: try Selection(text))) { paths.append($0.path.description) }
            return paths
        }
        let four = shots[...3].map(\.path)
        for path in four { #expect(try found("burst = '\(path)'") == four) }
        #expect(try found("burst = '\(shots[4].path)'") == [shots[4].path])
        #expect(try found("burst = '\(shots[5].path)'") == [shots[5].path, shots[6].path])
        #expect(try found("burst = 'photos/archive/it''s/x.mono.jpg'") == [shots[8].path])
        #expect(try found("burst in ('\(shots[4].path)', '\(four[1])') and look = 'mono'") == four + [shots[4].path])
        #expect(try found("burst != '\(four[0])' and folder = 'a'").count == 4)
        #expect(try found("burst = 'photos/none'").isEmpty)
        #expect(throws: SelectionError.self) { try Selection("burst like 'a%'") }
        #expect(throws: SelectionError.self) { try Selection("burst < 'a'") }
        withExtendedLifetime(fixture) {}
    }

    @Test("A long burst is one, and a time shared by hundreds of photos is none")
    func extremes() throws {
        let start = try #require(CaptureSecond("2019:12:31 23:30:00"))
        let long = (0..<1500).map { number in
            Shot(
                folder: "lapse", name: "\(10_000 + number)", camera: "D850",
                captured: CaptureSecond(number: start.number + Int64(number)).text, look: "mono", rating: nil)
        }
        let same = (0..<Bursts.maxPerSecond + 1).map { number in
            Shot(
                folder: "reset", name: "\(10_000 + number)", camera: "D850", captured: "2000:01:01 00:00:00",
                look: "mono", rating: nil)
        }
        let (fixture, store) = try library(long + same)
        let found = try bursts(store, page: 100)
        #expect(found.count == 1 + same.count)
        #expect(found.first == [long[0].path, "1500"])
        #expect(try store.photos.burstMarks(PhotoFilter(), every: 100).count == found.count)
        withExtendedLifetime(fixture) {}
    }

    @Test(
        "Times follow the calendar",
        arguments: [
            ("1970:01:01 00:00:00", 0), ("2000:02:29 12:00:01", 951_825_601), ("2015:12:31 23:59:59", 1_451_606_399),
            ("1969:12:31 23:59:59", -1), ("0001:01:01 00:00:00", -62_135_596_800),
            ("9999:12:31 23:59:59", 253_402_300_799),
        ])
    func seconds(text: String, number: Int64) throws {
        #expect(CaptureSecond(text)?.number == number)
        #expect(CaptureSecond(number: number).text == text)
    }

    @Test(
        "An invalid time is refused",
        arguments: [
            "", "2015:06:01", "2015-06-01 10:00:00", "2015:02:29 10:00:00", "2015:13:01 10:00:00",
            "2015:06:01 24:00:00",
            "0000:00:00 00:00:00", "2015:06:31 10:00:00", "2015:06:01 10:00:60", "    :  :     :  :  ",
            "2015:06:01 10:00:00 ", "２015:06:01 10:00",
        ])
    func noSecond(text: String) { #expect(CaptureSecond(text) == nil) }
}
