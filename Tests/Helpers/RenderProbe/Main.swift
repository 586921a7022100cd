import DirectRender
import Foundation
import Jobs
import Looks
import Manifests
import PictureFormat
import Render
import Storage

/// Renders files in one process, as a render process does, and prints a line for each: its name, and the digests of its
/// files or the reason of its failure. The library is emptied after each file, so that none is reused.
///
/// usage: render-probe FOLDER [--format FORMAT] [--look LOOK] NAME…, where FOLDER has the files in `archive` and an
/// empty folder `library`; the default is JPEG with the neutral look
@main
struct RenderProbe {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.popFirst().map({ URL(filePath: $0) }),
            let format = PhotoFormat(rawValue: option("--format", of: &arguments) ?? "jpeg")
        else { usage() }
        let look = option("--look", of: &arguments) ?? "neutral"
        guard !arguments.isEmpty else { usage() }
        let archive = try Root(path: folder.appending(path: "archive").path)
        let library = try Root(path: folder.appending(path: "library").path)
        var context = try DirectRender(roots: Roots(["archive": archive, "library": library]))
        for name in arguments {
            let outcome = text(of: context.render(try job(name, archive, look, format)).outcome)
            FileHandle.standardOutput.write(Data("\(name) \(outcome)\n".utf8))
            let kept = try FileManager.default.contentsOfDirectory(
                at: folder.appending(path: "library"), includingPropertiesForKeys: nil)
            for item in kept { try FileManager.default.removeItem(at: item) }
        }
    }

    private static func usage() -> Never {
        print("usage: render-probe FOLDER [--format FORMAT] [--look LOOK] NAME…")
        exit(64)
    }

    /// Removes an option and its value from the front of the arguments, if present.
    private static func option(_ name: String, of arguments: inout ArraySlice<String>) -> String? {
        guard arguments.first == name, arguments.count > 1 else { return nil }
        arguments.removeFirst()
        return arguments.removeFirst()
    }

    private static func job(
        _ name: String, _ archive: Root, _ lookName: String, _ format: PhotoFormat
    ) throws -> Job {
        let facts = try archive.facts(of: Array(name.utf8))
        guard let root = RootName("archive"), let path = RelativePath(name),
            let look = LookCatalogue.builtIn.looks.first(where: { $0.name == lookName }),
            let reference = LookReference(name: look.name, version: look.version, digest: look.digest)
        else { throw CocoaError(.fileNoSuchFile) }
        let raw = FileStamp(
            file: FileReference(root: root, path: path), sizeBytes: facts.sizeBytes,
            modifiedNanoseconds: facts.modifiedNanoseconds)
        return Job(
            batch: .random(), source: Source(raw: raw, photoBase: Array(name.utf8)),
            recipe: Recipe(look: reference, format: format))
    }

    private static func text(of outcome: Manifest.Outcome) -> String {
        switch outcome {
        case .failed(let failure): failure.reason.rawValue
        case .completed(let renditions):
            renditions.map { "\($0.photo.digest)+\($0.preview.digest)" }.joined(separator: ",")
        }
    }
}
