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

/// Selections in a library of random rows.
@Suite("Selecting photos") struct SelectionQueryTests {
    let fixture: LibraryFixture
    let store: LibraryStore
    let photos: [JudgedPhoto]

    init() throws {
        fixture = try LibraryFixture()
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        self.store = store
        var random = SeededGenerator(seed: 7)
        var photos: [JudgedPhoto] = []
        try store.transaction {
            for number in 0..<150 {
                let record = try Self.record(number, &random)
                try store.tables.renditions.insert(record, finished: Int64(number))
                try store.tree.place(TreeNaming.photo(record), key: record.key)
                let shown = try store.tree.paths(showing: record)
                photos.append(JudgedPhoto(record: record, path: try #require(shown.first).description))
            }
        }
        self.photos = photos
    }

    private static func record(_ number: Int, _ random: inout SeededGenerator) throws -> RenditionRecord {
        func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        let camera = one([
            ("NIKON CORPORATION", "NIKON D850"), ("Canon", "Canon EOS 5D"), ("Canon", "EOS_5%"), ("", "X'1"),
            ("Fuji", "É-1"), ("Fuji", "e\\1"),
        ])
        let name = one(["velvet", "mono", "silver-2"])
        let look = try #require(LookReference(name: name, version: one([1, 2, 10]), digest: SHA256Value(of: [1])))
        let format = one([PhotoFormat.jpeg, .jpeg, .tiff, .avif])
        let recipe = Recipe(
            look: look, lookStrength: one([1, 0.5]), exposureStops: one([0, 0.5, -1.25]),
            whiteBalance: one([nil, .init(kelvin: 5000, tint: 10)]), longEdgePixels: one([nil, 2400]), format: format,
            quality: format.hasQuality ? one([80, 92]) : 92, colourSpace: one([.sRGB, .displayP3]),
            noiseReduction: one([nil, 0, 0.5]), sharpening: one([0.5, 0.1]))
        let known = RecipeRecord(recipe)
        let foreign = RecipeRecord(
            id: SHA256Value(of: [UInt8(number)]), look: name, lookVersion: 3,
            adjustment: Adjustment(formatIdentifier: "com.example", formatVersion: "2", data: "exposure=1"))
        let path = try #require(
            RelativePath(one(["2014/06", "2014", "2014/06x", "it's/100%"]) + "/IMG_\(number).\(one(["NEF", "CR2"]))"))
        let stamp = FileStamp(
            file: FileReference(root: try #require(RootName(one(["archive", "Cards"]))), path: path),
            sizeBytes: one([20_000_000, 30_000_000]), modifiedNanoseconds: 1)
        let size: PixelSize? = one([nil, PixelSize(width: 6000, height: 4000), PixelSize(width: 1000, height: 1500)])
        let isForeign = number % 10 == 9
        return RenditionRecord(
            asset: SHA256Value(of: Array("asset \(number)".utf8)), frame: one([0, 0, 1]),
            recipe: isForeign ? foreign : known, engine: one([5, 6]),
            photo: FileRecord(
                digest: SHA256Value(of: [UInt8(number)]), sizeBytes: UInt64(1000 + number), size: size), preview: nil,
            original: stamp,
            facts: PhotoFacts(
                make: camera.0, model: camera.1,
                captured: one([
                    nil, "2014:06:01 10:00:00", "2014:06:30 23:59:59", "2014:07:01 00:00:00", "2015:01:01 08:00:01",
                ]), degraded: one([nil, nil, "colours far from the camera's"]),
                lens: one([nil, "not corrected: unknown lens", "AF-S 24-70_2.8; distortion"]),
                rating: one([nil, 0, 0, -1, 3, 5]),
                keywords: [nil, Keywords(), Keywords(["Lake", "50% _x"]), Keywords(["lake", "it's", "É"])][number % 4]),
            photoBase: Array("IMG_\(number)".utf8), format: isForeign ? .jpeg : format)
    }

    private func found(_ filter: PhotoFilter, after: RelativePath? = nil, limit: Int? = nil) throws -> [String] {
        var paths: [String] = []
        try store.photos.each(filter, after: after, limit: limit) { paths.append($0.path.description) }
        return paths
    }

    @Test("Random conditions match a plain function, in SQL and with any query plan")
    func agreesWithJudge() throws {
        var random = SeededGenerator()
        var sizes: Set<Int> = []
        for _ in 0..<600 {
            let condition = RandomCondition.make(photos, depth: 3, using: &random)
            let filter = PhotoFilter(selection: try Selection(condition.text))
            let expected = photos.filter(condition.holds).map { Array($0.path.utf8) }.sorted {
                $0.lexicographicallyPrecedes($1)
            }.map { String(decoding: $0, as: UTF8.self) }
            sizes.insert(expected.count)
            let paths = try found(filter)
            #expect(paths == expected, "seed \(random.seed): \(condition.text)")
            #expect(try store.photos.count(filter) == expected.count, "seed \(random.seed): \(condition.text)")
            if paths != expected { return }
        }
        #expect(sizes.count > 40, "the conditions match all photos or none")
    }

    @Test(
        "Pages add up to the whole, with any query plan",
        arguments: [
            PhotoPlan.Limits(), .init(few: 3, sorted: 60, walked: 10), .init(few: 0, sorted: 500, walked: 40),
            .init(few: 0, sorted: 5, walked: 5), .init(few: 0, sorted: 500, walked: 3),
        ])
    func pages(limits: PhotoPlan.Limits) throws {
        let queries = PhotoQueries(try database(), limits: limits)
        for text in [
            "taken >= 2014", "width > 0", "taken >= 2014 and not camera like 'NIKON%'", "model = 'X''1'",
            "taken between '2014-06-30' and '2014-07'", "taken < 2015 and look = 'velvet'",
            "megapixels >= 1.5",
        ] {
            var filter = PhotoFilter(selection: try Selection(text))
            for folder in [nil, RelativePath("photos/archive")] {
                filter.folder = folder
                let whole = try found(filter)
                #expect(whole.count > 3)
                var joined: [String] = []
                var page: [String] = []
                repeat {
                    page = []
                    try queries.each(filter, after: joined.last.flatMap { RelativePath($0) }, limit: 7) {
                        page.append($0.path.description)
                    }
                    #expect(page.count <= 7)
                    joined += page
                } while !page.isEmpty
                #expect(joined == whole)
            }
        }
    }

    @Test("A text's content is compared, and never becomes SQL")
    func holdsNoSQL() throws {
        for text in ["model = 'x'' or 1=1 --'", "path like '%''; DROP TABLE tree; --%'", "camera = 'X''1'"] {
            let count = try store.photos.count(PhotoFilter(selection: try Selection(text)))
            #expect(count == (text.hasPrefix("camera") ? photos.filter { $0.record.model == "X'1" }.count : 0))
        }
    }

    @Test("A condition and its negation are all photos, without overlap")
    func opposites() throws {
        for text in ["lens like '%24-70%'", "degraded = 'x'", "temperature > 3000", "taken < 2015", "width != 6000"] {
            let count = try store.photos.count(PhotoFilter(selection: try Selection(text)))
            let opposite = try store.photos.count(PhotoFilter(selection: try Selection("not \(text)")))
            #expect(count + opposite == photos.count, "\(text)")
        }
    }

    @Test("The largest allowed condition is a statement that the database accepts")
    func largest() throws {
        let list = photos.prefix(150).map { "'\($0.record.asset)'" }.joined(separator: ", ")
        #expect(try store.photos.count(PhotoFilter(selection: try Selection("asset in (\(list))"))) == photos.count)
        let chain = (0..<500).map { "quality = \($0)" }.joined(separator: " or ")
        let known = photos.filter { $0.recipe != nil }.count
        #expect(try store.photos.count(PhotoFilter(selection: try Selection(chain))) == known)
        for (open, close, count) in [
            ("not (width > 1 and ", ")", 50), ("(", ")", 50), ("(width > 1 or width < 3 and (", "))", 25),
            ("(model != 'a' or not (camera like 'n%' or ", "))", 25), ("(width > 1 and (height > 1 or ", "))", 25),
        ] {
            for inner in ["height > 1", (0..<400).map { "camera like 'n\($0)%'" }.joined(separator: " or ")] {
                let deep = String(repeating: open, count: count) + inner + String(repeating: close, count: count)
                _ = try store.photos.count(PhotoFilter(selection: try Selection(deep)))
            }
        }
    }

    @Test("Indexes serve the fields that photographers ask for most")
    func indexes() throws {
        let compiler = PhotoQueries(try database()).compiler
        func isIndexed(_ text: String) throws -> Bool {
            try compiler.fragment(try Selection(text).condition).driving != nil
        }
        for text in [
            "taken < 2015", "camera like 'NIKON%'", "model = 'x'", "look = 'velvet'", "quality = 92", "asset = '1234'",
            "folder = 'a'", "path = 'a'", "width > 3 and taken = 2015", "taken = 2015 or model = 'x'", "version = 1",
            "degraded is not null", "megapixels > 24",
        ] {
            #expect(try isIndexed(text), "\(text)")
        }
        for text in [
            "width > 3", "not taken < 2015", "camera like '%D850'", "taken = 2015 or width > 3", "lens is null",
        ] {
            #expect(try !isIndexed(text), "\(text)")
        }
    }

    private func database() throws -> LibraryDatabase { try LibraryDatabase(folder: fixture.libraryPath, mode: .read) }
}
