import Database
import Digest
import Jobs
import LibraryFixtures
import Manifests
import PictureFormat
import Testing

@testable import LibraryTables
@testable import PhotoTree

@Suite("Sizes and qualities of one look") struct VariantTests {
    private func recipe(_ pixels: UInt32?, quality: UInt32 = 92, exposure: Double = 0) throws -> Recipe {
        let look = try #require(LookReference(name: "mono", version: 1, digest: SHA256Value(of: [1])))
        return Recipe(look: look, exposureStops: exposure, longEdgePixels: pixels, quality: quality)
    }

    private func claim(_ recipe: Recipe) throws -> TreeClaim {
        let digest = SHA256Value(of: [7])
        let file = FileReference(root: try #require(RootName("raw")), path: try #require(RelativePath("a/IMG_1.CR2")))
        return TreeNaming.photo(
            RenditionRecord(
                asset: digest, frame: 0, recipe: RecipeRecord(recipe), engine: 1,
                photo: FileRecord(digest: digest, sizeBytes: 1, size: nil), preview: nil,
                original: FileStamp(file: file, sizeBytes: 1, modifiedNanoseconds: 1),
                facts: PhotoFacts(make: "", model: ""), photoBase: Array("IMG_1".utf8), format: recipe.format))
    }

    @Test("The largest has the plain name, and the others state their variant; a single one has the plain name")
    func names() throws {
        let claims = try [recipe(800), recipe(nil), recipe(2400, quality: 80), recipe(2400)].map(claim)
        let names = NameAssignment.assign(claims).values.map { "\($0)" }.sorted()
        #expect(
            names == ["", ".2400px", ".2400px.q80", ".800px"].map { "photos/raw/a/IMG_1.mono\($0).jpg" }.sorted())
        let web = try claims.filter { $0.id.variant != "mono" }.map { claim in
            try #require(NameAssignment.assign(claims.filter { $0.id.variant != "mono" })[claim.id])
        }
        #expect(web.map { "\($0)".hasSuffix("IMG_1.mono.jpg") } == [false, false, true])
        #expect(NameAssignment.assign([claims[0]]).values.map { "\($0)" } == ["photos/raw/a/IMG_1.mono.jpg"])
    }

    @Test("Size, quality and colour space make a variant; an edit does not")
    func variants() throws {
        #expect(try recipe(nil).variant == "mono")
        #expect(try recipe(nil, exposure: 2).variant == "mono")
        #expect(try recipe(2400, quality: 80).variant == "mono.2400px.q80")
        var wide = try recipe(nil)
        wide.colourSpace = .displayP3
        #expect(wide.variant == "mono.display-p3")
    }

    @Test("An older library's photos become variants, with their names")
    func migration() throws {
        let fixture = try LibraryFixture()
        let path = "\(fixture.path)/old.sqlite"
        let connection = try Connection(path: path)
        try connection.migrate([LibrarySchema.migrations[0]])
        for (number, recipe) in [try recipe(nil), try recipe(2400, quality: 80)].enumerated() {
            let (key, asset): ([UInt8], [UInt8]) = ([UInt8(number)], [UInt8(10 + number)])
            try connection.run(
                "INSERT INTO recipes VALUES (?, 'mono', 1, 'org.rawmill.recipe', '1.0', ?)", recipe.id.bytes,
                recipe.canonicalText)
            try connection.run(
                """
                INSERT INTO renditions VALUES (?, ?, 0, ?, 5, ?, 1, 1, 1, NULL, NULL, NULL, NULL, 'raw', ?, 1, 1,
                    NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', '', ?, 1)
                """, key, asset, recipe.id.bytes, key, key, key)
            try connection.run("INSERT INTO tree VALUES (?, 0, 'mono', ?, ?)", asset, key, Array("p\(number)".utf8))
            try connection.run("INSERT INTO displaced VALUES (?, ?, 0, 'mono')", Array("d\(number)".utf8), asset)
        }
        try connection.migrate(Array(LibrarySchema.migrations.prefix(4)))
        for table in ["tree", "displaced"] {
            let looks = try connection.all("SELECT look FROM \(table) ORDER BY path") { $0.text(0) }
            #expect(looks == ["mono", "mono.2400px.q80"])
        }
    }
}
