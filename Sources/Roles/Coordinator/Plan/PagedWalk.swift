internal import Concurrency
internal import Storage

struct WalkPage: Sendable {
    var sources: [FoundSource] = []
    var problems: [WalkProblem] = []
    var skipped: [SkippedFile] = []

    var count: Int { sources.count + problems.count + skipped.count }
}

/// A walk on a separate thread, one page at a time. It pauses until the next page is taken.
actor PagedWalk {
    private let executor = ThreadExecutor(name: "walk")
    private let walk: Walk

    /// Unsafe because the reference does not retain the executor, which the actor owns.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Longest time per page, so that on slow storage the first jobs do not wait for many others.
    private static let pageTime = Duration.milliseconds(500)

    /// - Parameter library: the library's absolute and real path, if it exists. The walk skips it.
    init(
        _ sources: [SourceFolder], roots: RootMap, library: [UInt8]?, filter: SourceFilter = SourceFilter()
    ) throws(WalkError) {
        walk = try Walk(
            sources, roots: roots, library: library.flatMap { try? FileFacts(absolutePath: $0).id }, filter: filter)
    }

    /// The next page: at most `limit` files and problems, fewer on slow storage, possibly none. Nil at the end.
    func next(limit: Int) throws(WalkError) -> WalkPage? {
        var page = WalkPage()
        let deadline = ContinuousClock.now + Self.pageTime
        while page.count < limit, !Task.isCancelled, ContinuousClock.now < deadline {
            guard let item = try walk.next() else {
                return page.count == 0 ? nil : page
            }
            switch item {
            case .source(let found): page.sources.append(found)
            case .problem(let problem): page.problems.append(problem)
            case .skipped(let file): page.skipped.append(file)
            case .folder: break
            }
        }
        return page
    }

    /// Counts of skipped files; complete once `next` has returned nil.
    var tally: WalkTally { walk.tally }
}
