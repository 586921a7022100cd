import Digest
import DirectRender
import ExternalTools
import Foundation
import Jobs
import Looks
import Manifests
import Render
import RenderJobs
import Samples
import Storage
import Testing

/// A library and a folder of RAWs in a temporary folder, with a render context.
final class RenderFixture {
    let folder: URL
    let archive: Root
    let library: Root
    let roots: Roots
    var context: DirectRender

    /// - Parameters:
    ///   - reuses: whether photos of the library are reused.
    ///   - memoryBytes: memory limit of a render; nil for none.
    init(threads: Int = 1, reuses: Bool = false, memoryBytes: UInt64? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-render-\(UUID())")
        archive = try Root(path: folder.appending(path: "archive").path, creating: true)
        library = try Root(path: folder.appending(path: "library").path, creating: true)
        roots = Roots(["archive": archive, "library": library])
        var settings = RenderSettings(threads: threads)
        settings.reusesPhotos = reuses
        if let memoryBytes { settings = settings.within(memoryBytes: memoryBytes) }
        context = try DirectRender(roots: roots, settings: settings)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    static func recipe(_ look: String = "neutral", change: (inout Recipe) -> Void = { _ in }) throws -> Recipe {
        let found = try LookCatalogue.builtIn.look(look)
        var recipe = Recipe(
            look: try #require(LookReference(name: found.name, version: found.version, digest: found.digest)))
        change(&recipe)
        return recipe
    }

    /// The stamp of a file in the archive.
    func stamp(_ path: String) throws -> FileStamp {
        let facts = try archive.facts(of: Array(path.utf8))
        return FileStamp(
            file: FileReference(root: try #require(RootName("archive")), path: try #require(RelativePath(path))),
            sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
    }

    /// Writes a file into the archive.
    func put(_ bytes: [UInt8], at path: String) throws -> FileStamp {
        _ = try archive.publish(bytes, at: Array(path.utf8), existing: .replace)
        return try stamp(path)
    }

    func job(
        _ raw: FileStamp, sidecar: FileStamp? = nil, companion: FileStamp? = nil, recipe: Recipe? = nil,
        originals: OriginalsPolicy = .reference
    ) throws -> Job {
        Job(
            batch: .random(),
            source: Source(raw: raw, sidecar: sidecar, companion: companion, photoBase: Array("photo".utf8)),
            recipe: try recipe ?? Self.recipe(), originals: originals)
    }

    /// Renders the job; throws its failure.
    func renditions(_ job: Job) throws -> RenderedFrames {
        switch context.render(job).outcome {
        case .completed(let frames): return frames
        case .failed(let failure): throw failure
        }
    }

    func file(_ path: RelativePath) -> URL { folder.appending(path: "library/\(path)") }
}

/// Another program's standard output, without surrounding white space.
func output(of command: String...) throws -> String {
    let output = try ExternalTool.run(command[0], Array(command.dropFirst()), mergesErrors: false)
    return output.trimmingCharacters(in: .whitespacesAndNewlines)
}
