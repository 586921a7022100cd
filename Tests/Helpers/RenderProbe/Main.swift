import DirectRender
import Foundation
import Jobs
import Looks
import Manifests
import Render
import Storage

/// Renders files one after another in one process, as a render process does, and prints a line for each: its name, and the
/// digests of its files or the reason of its failure. The library is emptied after each, so that each file is made anew.
///
/// usage: render-probe FOLDER NAME…, where FOLDER has the files in `archive` and an empty folder `library`
@main
struct RenderProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 2 else {
            print("usage: render-probe FOLDER NAME…")
            exit(64)
        }
        let folder = URL(filePath: arguments[1])
        let archive = try Root(path: folder.appending(path: "archive").path)
        let library = try Root(path: folder.appending(path: "library").path)
        var context = try DirectRender(roots: Roots(["archive": archive, "library": library]))
        for name in arguments.dropFirst(2) {
            let outcome = text(of: context.render(try job(name, archive)).outcome)
            FileHandle.standardOutput.write(Data("\(name) \(outcome)\n".utf8))
            let kept = try FileManager.default.contentsOfDirectory(
                at: folder.appending(path: "library"), includingPropertiesForKeys: nil)
            for item in kept { try FileManager.default.removeItem(at: item) }
        }
    }

    private static func job(_ name: String, _ archive: Root) throws -> Job {
        let facts = try archive.facts(of: Array(name.utf8))
        guard let root = RootName("archive"), let path = RelativePath(name),
            let look = LookCatalogue.builtIn.looks.first(where: { $0.name == "neutral" }),
            let reference = LookReference(name: look.name, version: look.version, digest: look.digest)
        else { throw CocoaError(.fileNoSuchFile) }
        let raw = FileStamp(
            file: FileReference(root: root, path: path), sizeBytes: facts.sizeBytes,
            modifiedNanoseconds: facts.modifiedNanoseconds)
        return Job(
            batch: .random(), source: Source(raw: raw, photoBase: Array(name.utf8)), recipe: Recipe(look: reference))
    }

    private static func text(of outcome: Manifest.Outcome) -> String {
        switch outcome {
        case .failed(let failure): failure.reason.rawValue
        case .completed(let renditions):
            renditions.map { "\($0.photo.digest)+\($0.preview.digest)" }.joined(separator: ",")
        }
    }
}
