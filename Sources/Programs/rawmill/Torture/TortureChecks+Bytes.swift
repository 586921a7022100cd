import Broker
import Digest
import Jobs
import Library
import Manifests
import Records

/// The same bytes of the same photo, however often it is rendered (I8).
extension TortureChecks {
    /// Every manifest of a photo names the same bytes; and real photos of one order are rendered once more, by one
    /// thread and for any processor, into a library of their own.
    func sameBytes() async throws -> TortureVerdict {
        var digests: [[UInt8]: Set<[UInt8]>] = [:]
        var manifests = 0
        try await eachPhoto { _, renditions in
            manifests += 1
            for rendition in renditions {
                digests[rendition.asset.bytes + [UInt8(truncatingIfNeeded: rendition.frame)], default: []].insert(
                    rendition.photo.digest.bytes)
            }
        }
        let differing = digests.values.count { $0.count > 1 }
        let again = place.isReal ? try renderedAgain() : (same: 0, other: 0)
        let words = place.isReal ? ", \(again.same) of \(again.same + again.other) the same by another render" : ""
        return TortureVerdict(
            name: "I8 the same bytes", holds: differing == 0 && again.other == 0 && (again.same > 0 || !place.isReal),
            text: "\(manifests) manifests of \(digests.count) photos, \(differing) differ\(words)")
    }

    /// Every manifest of a job that became a photo; one that was rendered again has several.
    func eachPhoto(_ body: (Manifest, [Rendition]) -> Void) async throws {
        try await TopicTail.each(Topics.manifests, run.transport) { delivery in
            guard let value = delivery.record.value, let manifest = try? Manifest(record: value),
                case .completed(let renditions) = manifest.outcome
            else { return }
            body(manifest, renditions)
        }
    }

    private func renderedAgain() throws -> (same: Int, other: Int) {
        let folder = "\(place.folder)/again"
        // A photo names its RAW by the root's name and the path below it, so both have to be the same.
        let words = #"""
            mkdir -p "$3" && cp -a "$1" "$3" &&
            RAWMILL_CPU_LEVEL=1 "$0" convert "$3" --library "$2" -j 1 >/dev/null || [ $? = 3 ]
            """#
        let (program, raws) = (try OwnProgram.path(), "\(folder)-raws/archive")
        _ = try OtherProgram.run("/bin/sh", ["-c", words, program, "\(place.archive)/part-0", folder, raws])
        let (first, second) = (try photos(place.library), try photos(folder))
        let same = second.count { first[$0.key] == $0.value }
        return (same, second.count - same)
    }

    private func photos(_ library: String) throws -> [RenditionKey: SHA256Value] {
        let store = try LibraryStore(folder: library, mode: .read)
        let files = try store.renditionFiles(after: nil, limit: 1_000_000)
        return Dictionary(files.map { ($0.key, $0.photo.digest) }) { first, _ in first }
    }
}
