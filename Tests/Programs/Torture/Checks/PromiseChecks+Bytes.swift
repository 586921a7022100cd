import Broker
import ClusterControl
import CommandLineTool
import Digest
import Jobs
import LibraryTables
import Manifests
import PhotoTree
import Records

/// The inputs of a photo's bytes: a RAW at two paths gives two photos that differ in the recorded path.
private struct RenderedPhoto: Hashable {
    let key: RenditionKey
    let raw: FileReference

    init(_ rendition: Rendition) { (key, raw) = (rendition.key, rendition.original.file) }
}

/// A photo has the same bytes in every render (I8).
extension PromiseChecks {
    /// All manifests of a photo must name the same bytes. With real photos, those of one order are rendered once more,
    /// on one thread and the lowest processor level, into a separate library.
    func sameBytes() async throws -> Verdict {
        var digests: [RenderedPhoto: Set<[UInt8]>] = [:]
        var manifests = 0
        try await eachPhoto { _, renditions in
            manifests += 1
            for rendition in renditions {
                digests[RenderedPhoto(rendition), default: []].insert(rendition.photo.digest.bytes)
            }
        }
        let differing = digests.values.count { $0.count > 1 }
        // Moved RAWs cannot be rendered again.
        let rendersAgain = layout.isReal && run.plan.scenario != .duplicates
        let again = rendersAgain ? try renderAgain() : (same: 0, different: 0)
        let total = again.same + again.different
        let note = rendersAgain ? ", \(again.same) of \(total) the same by another render" : ""
        return Verdict(
            name: "I8 the same bytes",
            holds: differing == 0 && again.different == 0 && (again.same > 0 || !rendersAgain),
            text: "\(manifests) manifests of \(digests.count) photos, \(differing) differ\(note)")
    }

    /// Passes every manifest of a job that became a photo. A job rendered again has several.
    func eachPhoto(_ body: (Manifest, [Rendition]) -> Void) async throws {
        try await TopicSnapshot.each(Topics.manifests, run.transport) { delivery in
            guard let value = delivery.record.value, let manifest = try? Manifest(record: value),
                case .completed(let renditions) = manifest.outcome
            else { return }
            body(manifest, renditions.renditions)
        }
    }

    private func renderAgain() throws -> (same: Int, different: Int) {
        let library = "\(layout.folder)/again"
        // A photo names its RAW by root and path, so both must be the same.
        let script = #"""
            mkdir -p "$3" && cp -a "$1" "$3" &&
            MALLOC_PERTURB_=165 RAWMILL_CPU_LEVEL=1 "$0" convert "$3" --library "$2" -j 1 >/dev/null || [ $? = 3 ]
            """#
        let (program, raws) = (try RawmillProgram.path(), "\(library)-raws/archive")
        _ = try ShellCommand.run("/bin/sh", ["-c", script, program, "\(layout.archive)/part-0", library, raws])
        let (first, second) = (try photos(layout.library), try photos(library))
        let same = second.count { first[$0.key] == $0.value }
        return (same, second.count - same)
    }

    private func photos(_ library: String) throws -> [RenditionKey: SHA256Value] {
        let store = try LibraryStore(folder: library, mode: .read)
        let files = try store.tables.files.renditionFiles(after: nil, limit: 1_000_000)
        return Dictionary(files.map { ($0.key, $0.photo.digest) }) { first, _ in first }
    }
}
