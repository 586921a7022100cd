import CommandLineTool
import Coordinator
import Digest
import Jobs
import LibraryTables
import Manifests
import MetadataHost
import Revisions
import Runs
import Storage
import Worker

/// Develops photos of a library again in the same way, and compares the bytes.
struct Reproduction {
    enum Outcome {
        case same(OpenFile)
        /// Other bytes, with an explanation of the difference.
        case differs(OpenFile, String)
        case impossible(String)
    }

    private let folder: String
    private let root: Root
    private let reviser: PhotoReviser
    private let locator: RawLocator
    private let renderer: DirectRenderer
    private let metadata: MetadataReader

    /// - Throws: `LibraryError`, `StorageError`, `WorkerError`; `CommandFailure` if the library has no ledger.
    init(library folder: String, _ reviser: PhotoReviser, _ settings: WorkerSettings) async throws {
        self.folder = folder
        self.reviser = reviser
        root = try Root(path: folder)
        locator = try await RawLocator(library: folder)
        metadata = MetadataReader(program: MetadataProcess.program, library: folder)
        // Read access to a library suffices.
        renderer = try DirectRenderer(
            settings, roots: [.library: folder], maxWaiting: 1, scratch: CommandLineBytes.temporaryFolder)
    }

    func stop() { renderer.stop() }

    /// Develops a photo again. Throws `LibraryError`, `StorageError`, and errors of the search for the RAW.
    func outcome(of photo: PhotoReviser.Photo) async throws -> Outcome {
        guard let record = try reviser.rendition(of: photo) else {
            return .impossible("the library no longer has its rendition")
        }
        let recipe: Recipe
        switch record.recipe.adjustment.reading {
        case .recipe(let known): recipe = known
        case .final(let why): return .impossible(String(why.dropLast()))
        }
        guard record.engine == Engine.version else {
            let release = Engine.release(of: record.engine).map { "; Rawmill \($0) has it" } ?? ""
            return .impossible(
                "it was made by engine \(record.engine), and this program has engine \(Engine.version)\(release)")
        }
        guard let path = locator.path(of: [record.original.file] + photo.raws) else {
            return .impossible("its RAW is missing (\(record.original.file)); mount it or put it back")
        }
        guard let source = try await source(at: path) else {
            return .impossible("\(String(decoding: path, as: UTF8.self)) is not a supported RAW")
        }
        do throws(DirectRenderer.Problem) {
            let made = try await renderer.render(source, recipe, frame: record.frame)
            if made.rendition.photo.digest == record.photo.digest { return .same(made.file) }
            return .differs(made.file, await difference(record, made))
        } catch {
            guard case .failed(let failure) = error else { return .impossible("\(error)") }
            return .impossible(failure.message(about: source.raw.file))
        }
    }

    private func source(at path: [UInt8]) async throws -> Source? {
        let found = FoundPlace()
        _ = try await DryRun.plan(
            sources: [path], library: folder, recipes: { _ in [Self.anyRecipe].compactMap(\.self) }
        ) {
            event, roots in
            if case .entry(let entry) = event { await found.take(entry.source, roots) }
        }
        guard let (source, roots) = await found.value else { return nil }
        let paths = roots.all.map { ($0.name, String(decoding: $0.path, as: UTF8.self)) }
        renderer.use(Dictionary(paths) { $1 }.merging([.library: folder]) { $1 })
        return source
    }

    /// A plan needs a recipe, which does not affect the files that it finds.
    private static let anyRecipe = LookReference(name: "none", version: 1, digest: SHA256Value(of: [])).map {
        Recipe(look: $0)
    }

    private func difference(_ record: RenditionRecord, _ made: DirectRenderer.RenderedPhoto) async -> String {
        let rendition = made.rendition
        if rendition.asset != record.asset { return "its RAW has other bytes now" }
        let parts = [
            Self.changed("its RAW's path", record.original.file, rendition.original.file),
            record.companion?.file.file == rendition.companion?.file
                && record.companion?.digest == rendition.companionDigest ? nil : "the camera's JPEG beside its RAW",
            Self.changed("the lens", record.lens, rendition.lens),
            record.degraded == rendition.degraded ? nil : "its degradation",
        ].compactMap(\.self)
        let isSamePicture = await isSamePicture(record, made.file)
        if !parts.isEmpty {
            let picture = isSamePicture == true ? "; the picture is the same" : ""
            return "the photo's metadata differs: \(parts.joined(separator: ", "))\(picture)"
        }
        switch isSamePicture {
        case true?:
            return "the picture is the same; the user's metadata has changed (rating, keywords, titles)"
        case false?: return "the picture differs. Please report it with the RAW"
        case nil: return "the user's metadata or the encoder's version has changed"
        }
    }

    private static func changed(_ what: String, _ before: (some Equatable)?, _ now: (some Equatable)?) -> String? {
        let (before, now) = ("\(before.map { "\($0)" } ?? "none")", "\(now.map { "\($0)" } ?? "none")")
        return before == now ? nil : "\(what) was \(before) and is \(now)"
    }

    private func isSamePicture(_ record: RenditionRecord, _ made: OpenFile) async -> Bool? {
        let requests = [
            MetadataRequest(.picture, about: LibraryLayout.photo(record.key), in: root),
            MetadataRequest(.picture, about: made),
        ]
        guard let answers = try? await metadata.read(requests), case .picture(let old)? = answers.first,
            case .picture(let new)? = answers.last
        else { return nil }
        return old == new
    }
}

private actor FoundPlace {
    private(set) var value: (Source, RootMap)?

    func take(_ source: Source, _ roots: RootMap) { value = (source, roots) }
}
