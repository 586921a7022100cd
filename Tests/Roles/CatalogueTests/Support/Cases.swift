import Broker
import Digest
import Foundation
import Jobs
import Library
import Manifests
import Storage
import Telemetry

@testable import Catalogue

/// The same numbers for the same seed (SplitMix64, Steele, Lea and Flood, 2014).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Manifests of everything a library can meet: two looks, two recipes of one look, several frames, names that collide
/// in more than one way, a degraded photo, a camera JPEG, copied and moved RAWs.
func variedManifests(_ darkroom: CatalogueFixture, sources: Root) throws -> [Manifest] {
    typealias Shot = CatalogueFixture.Shot
    let a = Shot("a", path: "2019/IMG_1.CR2")
    let sameName = Shot("b", path: "2019/IMG_1.NEF")
    let sameSourceOtherContent = Shot("c", path: "2019/IMG_1.CR2")
    let namedLikeTheAlternative = Shot("d", path: "2019/IMG_1.CR2.dng", base: "IMG_1.CR2")
    let frames = Shot("e", path: "burst.dng")
    let namedLikeAFrame = Shot("f", path: "burst.2.dng", base: "burst.2")
    let copied = Shot("g", path: "2020/é 1.ARW").with { $0.isCopied = true }
    let moved = Shot("h", path: "2020/move.ARW").with { $0.isCopied = true }
    let copiedTwice = Shot("i", path: "2020/move.ARW").with { $0.isCopied = true }
    var finished: Int64 = 1_700_000_000_000
    func manifest(_ shots: Shot..., originals: OriginalsPolicy = .reference, source: FileStamp? = nil) throws
        -> Manifest
    {
        finished += 1000
        return try Manifest(
            try shots.map(darkroom.develop), finished: finished, originals: originals, source: source)
    }
    return [
        try manifest(a), try manifest(a.with { $0.look = "mono" }), try manifest(a.with { $0.quality = 80 }),
        try manifest(sameName), try manifest(sameSourceOtherContent), try manifest(namedLikeTheAlternative),
        try manifest(frames, frames.with { $0.frame = 1 }), try manifest(namedLikeAFrame),
        try manifest(
            sameName.with {
                $0.quality = 70
                $0.degraded = "its colours are far from the camera's own"
                $0.companion = "2019/IMG_1.JPG"
            }),
        try manifest(copied, originals: .copy),
        try manifest(moved, originals: .move, source: try source(of: moved, in: sources)),
        try manifest(copiedTwice, originals: .copy),
    ]
}

/// Puts the RAW where it is moved from, and answers what the planner saw of it.
func source(of shot: CatalogueFixture.Shot, in root: Root) throws -> FileStamp {
    let file = shot.original.file
    _ = try root.publish(shot.raw, at: file.path.bytes)
    let facts = try root.facts(of: file.path.bytes)
    return FileStamp(file: file, sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
}

/// A cataloguer without a broker.
struct Merging {
    let folder: TestFolder
    let roots: Roots
    /// Another broker's manifests are read from their beginning.
    var topic = ConsumedTopic(cluster: "test", topic: Topics.manifests)

    /// One life of a cataloguer: recovers, merges the manifests in batches, rests. What `onStep` throws ends it there.
    func run(
        _ manifests: [Manifest], batch: Int = 5, onStep: @escaping (MergeStep) throws -> Void = { _ in }
    ) throws {
        let store = try LibraryStore(folder: folder.library, mode: .write)
        let merger = BatchMerger(store: store, topic: topic, roots: roots, log: .silent, onStep: onStep)
        try merger.recover()
        let done = Int(try store.offsets(of: topic)[0] ?? 0)
        let partition = TopicPartition(topic: topic.topic, partition: 0)
        let left = manifests.enumerated().dropFirst(done).map { index, manifest in
            ManifestDelivery(manifest: manifest, position: Position(partition: partition, offset: Int64(index)))
        }
        for start in stride(from: 0, to: left.count, by: batch) {
            let part = Array(left[start..<min(start + batch, left.count)])
            let next = (part.last?.position.offset ?? 0) + 1
            _ = try merger.merge(part, next: [0: next])
        }
        try merger.rest()
    }
}
