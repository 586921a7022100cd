public import Manifests
public import Storage
internal import Jobs

extension LibraryFixture {
    /// Manifests with all variations: two looks, two recipes of one look, several frames, several kinds of colliding
    /// names, a degraded photo, a camera JPEG, copied and moved RAWs.
    public func variedManifests(sources: Root) throws -> [Manifest] {
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
                try shots.map { try render($0) }, finished: finished, originals: originals, source: source)
        }
        return [
            try manifest(a), try manifest(a.with { $0.look = "mono" }), try manifest(a.with { $0.edit = 80 }),
            try manifest(sameName), try manifest(sameSourceOtherContent), try manifest(namedLikeTheAlternative),
            try manifest(frames, frames.with { $0.frame = 1 }), try manifest(namedLikeAFrame),
            try manifest(
                sameName.with {
                    $0.edit = 70
                    $0.degraded = "its colours are far from the camera's own"
                    $0.companion = "2019/IMG_1.JPG"
                }),
            try manifest(copied, originals: .copy),
            try manifest(moved, originals: .move, source: try moved.write(to: sources)),
            try manifest(copiedTwice, originals: .copy),
        ]
    }
}
