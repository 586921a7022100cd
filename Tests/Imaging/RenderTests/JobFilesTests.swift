import Digest
import Jobs
import Manifests
import Render
import RenderJobs
import Storage
import Testing

/// A render process is not trusted: the file that it decodes may control it.
@Suite("The files of a job") struct JobFilesTests {
    private let fixture: RenderFixture
    private let job: Job
    private let asset: SHA256Value

    init() throws {
        fixture = try RenderFixture()
        let bytes = Array("not a RAW, which is all the same here".utf8)
        job = try fixture.job(try fixture.put(bytes, at: "a.dng"))
        asset = SHA256Value(of: bytes)
    }

    private func write(_ text: String, to file: BlankFile) throws -> WrittenFile {
        let digest = try Array(text.utf8).withUnsafeBytes { try file.fill(with: $0) }
        return WrittenFile(digest: digest, sizeBytes: UInt64(text.utf8.count))
    }

    /// A rendition as a render process reports it.
    private func rendition(
        frame: UInt32 = 0, asset: SHA256Value? = nil, photo: WrittenFile, preview: WrittenFile,
        path: RelativePath? = nil, original: FileStamp? = nil
    ) -> Rendition {
        let asset = asset ?? self.asset
        let key = RenditionKey(
            asset: asset, frame: frame, recipe: job.recipe.id, engine: Engine.version, format: job.recipe.format)
        func file(_ written: WrittenFile, _ path: RelativePath) -> ProducedFile {
            ProducedFile(path: path, digest: written.digest, sizeBytes: written.sizeBytes, size: nil)
        }
        return Rendition(
            asset: asset, frame: frame, recipe: job.recipe, engine: Engine.version,
            photo: file(photo, path ?? LibraryLayout.photo(key)), preview: file(preview, LibraryLayout.preview(key)),
            original: original ?? job.source.raw, facts: PhotoFacts(make: "", model: ""), photoBase: [])
    }

    @Test("Files are named by the RAW's actual hash, not by the render's result")
    func honest() throws {
        let files = try JobFiles(job, roots: fixture.roots)
        let given = try files.frame(FrameQuestion(frame: 0))
        #expect(given.asset == asset && given.knownPhoto == nil)
        let (photo, preview) = (try write("photo", to: given.photo), try write("preview", to: given.preview))
        let output = FrameOutput(frame: 0, photo: photo, preview: preview)
        let told = rendition(photo: photo, preview: preview)
        let (frames, unnamed) = try files.finish(RenderedFrames([told]), [output])
        #expect(frames.first == told)
        #expect(unnamed.map(\.path) == [told.preview.path.bytes, told.photo.path.bytes])
        for result in try fixture.library.publish(unnamed) { #expect(try result.get().outcome == .created) }
        // The next attempt receives the library's files.
        let next = try JobFiles(job, roots: fixture.roots).frame(FrameQuestion(frame: 0))
        #expect(try next.knownPhoto?.contents(limitBytes: 99) == Array("photo".utf8))
        #expect(try next.knownPreview?.contents(limitBytes: 99) == Array("preview".utf8))
    }

    @Test("An open file is used if it is the job's, and reopened if it is not")
    func openedBefore() throws {
        let raw = job.source.raw
        let opened = try OpenFile(raw.file.path.bytes, in: fixture.archive)
        #expect(try JobFiles(job, roots: fixture.roots, opened: [raw: opened]).sources.raw === opened)
        // It has changed, unknown to the job.
        let next = try fixture.put(Array("other bytes, and more of them, at the same path".utf8), at: "a.dng")
        let later = try fixture.job(next)
        let files = try JobFiles(later, roots: fixture.roots, opened: [next: opened])
        #expect(files.sources.raw !== opened && files.sources.raw.facts.sizeBytes == next.sizeBytes)
    }

    @Test("An impossible result of a render gets no file names")
    func lies() throws {
        let other = SHA256Value(of: Array("another photo".utf8))
        for lie in 0..<7 {
            let files = try JobFiles(job, roots: fixture.roots)
            let given = try files.frame(FrameQuestion(frame: 0))
            let (photo, preview) = (try write("photo", to: given.photo), try write("preview", to: given.preview))
            let output = FrameOutput(frame: lie == 0 ? 1 : 0, photo: photo, preview: lie == 1 ? nil : preview)
            let elsewhere = try #require(RelativePath("library.sqlite"))
            let wrong = WrittenFile(digest: other, sizeBytes: 5)
            let told =
                switch lie {
                case 2: rendition(asset: other, photo: photo, preview: preview)
                case 3: rendition(photo: photo, preview: preview, path: elsewhere)
                case 4: rendition(photo: wrong, preview: preview)
                case 5: rendition(frame: 3, photo: photo, preview: preview)
                default: rendition(photo: photo, preview: preview)
                }
            let renditions = lie == 6 ? [told, told] : [told]
            #expect(throws: Failure.self, "lie \(lie)") {
                _ = try files.finish(RenderedFrames(renditions), [output])
            }
        }
        #expect(try fixture.library.entries(of: []).isEmpty)
    }

    @Test("Of many frames, the first ones are named before the last ones are rendered")
    func manyFrames() throws {
        let files = try JobFiles(job, roots: fixture.roots)
        var renditions: [Rendition] = []
        var outputs: [FrameOutput] = []
        for frame in 0..<UInt32(20) {
            let given = try files.frame(FrameQuestion(frame: frame, finished: outputs))
            let (photo, preview) = (
                try write("photo \(frame)", to: given.photo), try write("preview \(frame)", to: given.preview)
            )
            outputs = [FrameOutput(frame: frame, photo: photo, preview: preview)]
            renditions.append(rendition(frame: frame, photo: photo, preview: preview))
        }
        let (frames, unnamed) = try files.finish(RenderedFrames(renditions), outputs)
        #expect(frames.count == 20 && unnamed.count == 8)
        for result in try fixture.library.publish(unnamed) { #expect(try result.get().outcome == .created) }
        for rendition in frames {
            #expect(try fixture.library.digest(of: rendition.photo.path.bytes).digest == rendition.photo.digest)
        }
    }
}
