import Foundation
import Testing

/// This machine's lens table for new libraries and folders, in the user's cache.
struct LensTableCacheTests {
    @Test("A lens table is made once per user, again if it is damaged, and each time without a cache")
    func kept() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let cache = workspace.folder.appending(path: "cache")
        let kept = cache.appending(path: "rawmill/lens-table")
        /// The digest of the lens table of a new folder's photos.
        func convert(to name: String, cache: URL) throws -> String {
            let state = workspace.folder.appending(path: "state-\(name)")
            let ended = try Rawmill.run(
                [
                    "convert", workspace.raw.path, "--out", workspace.folder.appending(path: name).path,
                    "--state", state.path, "--long-edge", "64",
                ], environment: ["XDG_CACHE_HOME": cache.path])
            #expect(ended.status == 0, "\(ended.errors)")
            return try String(contentsOf: state.appending(path: ".rawmill/lenses/current"), encoding: .utf8)
        }
        let digest = try convert(to: "first", cache: cache)
        let bytes = try Data(contentsOf: kept)
        let time = { try FileManager.default.attributesOfItem(atPath: kept.path)[.modificationDate] as? Date }
        let made = try time()
        #expect(try convert(to: "second", cache: cache) == digest)
        #expect(try time() == made)
        try bytes.prefix(1000).write(to: kept)
        #expect(try convert(to: "third", cache: cache) == digest)
        #expect(try Data(contentsOf: kept) == bytes)
        #expect(try convert(to: "fourth", cache: workspace.raw.appending(path: "sample-0001.dng")) == digest)
    }

    @Test("A dry run caches nothing")
    func dryRun() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let cache = workspace.folder.appending(path: "cache")
        let out = workspace.folder.appending(path: "out")
        let ended = try Rawmill.run(
            ["convert", workspace.raw.path, "--out", out.path, "--dry-run"], environment: ["XDG_CACHE_HOME": cache.path]
        )
        #expect(ended.status == 0 && !FileManager.default.fileExists(atPath: cache.path), "\(ended.errors)")
    }
}
