import Digest
import Jobs
import PictureFormat
import Testing

@Suite("Identities") struct IdentityTests {
    static func stamp(_ path: String, size: UInt64 = 10, time: Int64 = 5) throws -> FileStamp {
        let root = try #require(RootName("archive"))
        return FileStamp(
            file: FileReference(root: root, path: try #require(RelativePath(path))), sizeBytes: size,
            modifiedNanoseconds: time)
    }

    @Test("A job's id follows from source and recipe alone, so submitting twice is one job")
    func idempotent() throws {
        let source = Source(raw: try Self.stamp("a.cr2"), photoBase: Array("a".utf8))
        let recipe = Recipe(look: try RecipeTests.look())
        #expect(
            Job(batch: .random(), source: source, recipe: recipe).id
                == Job(batch: .random(), round: 3, source: source, recipe: recipe, lane: .interactive).id)
    }

    @Test("A source's fingerprint changes with the RAW's path, size or time, and with the files beside it")
    func everyFactCounts() throws {
        let raw = try Self.stamp("a.cr2")
        let beside = try Self.stamp("a.xmp")
        let base = Array("a".utf8)
        let sources = [
            Source(raw: raw, photoBase: base),
            Source(raw: try Self.stamp("b.cr2"), photoBase: base),
            Source(raw: try Self.stamp("a.cr2", size: 11), photoBase: base),
            Source(raw: try Self.stamp("a.cr2", time: 6), photoBase: base),
            Source(raw: raw, sidecar: beside, photoBase: base),
            Source(raw: raw, companion: beside, photoBase: base),
        ]
        #expect(Set(sources.map(\.fingerprint)).count == sources.count)
    }

    @Test("A rendition's key changes with asset, frame, recipe and engine")
    func renditionKey() {
        let a = SHA256Value(of: [1])
        let b = SHA256Value(of: [2])
        let keys = [
            RenditionKey(asset: a, frame: 0, recipe: b, engine: 1, format: .jpeg),
            RenditionKey(asset: b, frame: 0, recipe: b, engine: 1, format: .jpeg),
            RenditionKey(asset: a, frame: 1, recipe: b, engine: 1, format: .jpeg),
            RenditionKey(asset: a, frame: 0, recipe: a, engine: 1, format: .jpeg),
            RenditionKey(asset: a, frame: 0, recipe: b, engine: 2, format: .jpeg),
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test("A key's bytes state its format, and those of a JPEG are its digest", arguments: PhotoFormat.allCases)
    func keyBytes(format: PhotoFormat) {
        let key = RenditionKey(digest: SHA256Value(of: [1]), format: format)
        #expect(key.bytes == key.digest.bytes + (format == .jpeg ? [] : key.bytes.suffix(1)))
        #expect(RenditionKey(bytes: key.bytes) == key)
        #expect(RenditionKey(bytes: Array(key.bytes.dropLast())) != key)
        #expect(RenditionKey(bytes: key.bytes + [1, 1]) == nil && RenditionKey(bytes: key.digest.bytes + [99]) == nil)
    }

    @Test("Every failure reason has a remedy that is a sentence", arguments: FailureReason.allCases)
    func remedies(reason: FailureReason) {
        #expect(reason.remedy.hasSuffix("."))
        #expect(reason.remedy.count > 20)
    }
}
