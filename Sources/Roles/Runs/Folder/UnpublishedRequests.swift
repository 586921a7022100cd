internal import Clock
package import Coordinator
internal import Digest
package import Jobs
internal import Storage

/// Finds the RAWs of a library's photos on this machine.
package struct RawLocator {
    private let roots: Roots
    private let map: RootMap
    private let library: [UInt8]

    /// - Parameter library: the library's folder.
    /// - Throws: `RunError` if it has no ledger.
    package init(library: String) async throws {
        guard let ledger = try Ledger.existing(library: library) else {
            throw RunError.noLibrary(library)
        }
        map = try await ledger.perform { try $0.roots.all() }
        await ledger.close()
        roots = try await SourceRoots.existing(library: library)
        self.library = RealPath.of(Array(library.utf8)) ?? Array(library.utf8)
    }

    /// The absolute path of the first file that exists, if any.
    ///
    /// - Parameter sizeBytes: the file's size; nil for any.
    package func path(of raws: [FileReference], sizeBytes: UInt64? = nil) -> [UInt8]? {
        let raw = raws.first { file in
            guard let root = roots[file.root.text], let facts = try? root.factsIfPresent(of: file.path.bytes) else {
                return false
            }
            return sizeBytes == nil || facts.sizeBytes == sizeBytes
        }
        return raw.map { raw in
            raw.root == .library ? library + [UInt8(ascii: "/")] + raw.path.bytes : map.absolute(raw)
        }
    }
}

/// Requests to render RAWs whose new photos `photos/` does not show yet.
package enum UnpublishedRequests {
    /// One request for each recipe, in the order of their first appearance.
    package static func requests(_ photos: [(source: [UInt8], recipe: Recipe)], lane: Lane) -> [RunRequest] {
        var sources: [Recipe: [[UInt8]]] = [:]
        var known: Set<[UInt8]> = []
        var order: [Recipe] = []
        for (source, recipe) in photos {
            if sources[recipe] == nil { order.append(recipe) }
            // Frames of one RAW are one job.
            if known.insert(Array(recipe.id.bytes) + source).inserted { sources[recipe, default: []].append(source) }
        }
        return order.map { recipe in
            RunRequest(
                sources: sources[recipe] ?? [],
                submission: Submission(
                    recipe: recipe, lane: lane, isHeld: true, submittedMilliseconds: WallClock.milliseconds))
        }
    }
}
