internal import Digest
internal import Concurrency

/// What a stretch of a walk found.
struct SurveyPage: Sendable {
    var candidates: [Candidate] = []
    var problems: [WalkProblem] = []
}

/// A walk on a thread of its own, a page at a time: whoever takes the pages sets its pace.
actor Surveyor {
    private let executor = ThreadExecutor(name: "walk")
    private let walk: Walk
    private let recipe: SHA256Value

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - library: the library's absolute and real path, where it exists: it is passed by.
    ///   - recipe: the digest of the recipe that the files are submitted with.
    init(areas: [SourceFolder], roots: RootMap, library: [UInt8]?, recipe: SHA256Value, scratchFolder: String? = nil) {
        walk = Walk(
            areas: areas, roots: roots, library: library.flatMap { FolderIdentity(path: $0) },
            scratchFolder: scratchFolder)
        self.recipe = recipe
    }

    /// Up to `limit` things, or what is found in half a second: on slow storage the first jobs do not wait for many.
    /// May be empty; nil at the end.
    func next(limit: Int) throws -> SurveyPage? {
        var page = SurveyPage()
        let deadline = ContinuousClock.now + .milliseconds(500)
        while page.candidates.count + page.problems.count < limit, !Task.isCancelled, ContinuousClock.now < deadline {
            guard let item = try walk.next() else {
                let isEmpty = page.candidates.isEmpty && page.problems.isEmpty
                return isEmpty ? nil : page
            }
            switch item {
            case .source(let found): page.candidates.append(Candidate(found, recipe: recipe))
            case .problem(let problem): page.problems.append(problem)
            case .folder: break
            }
        }
        return page
    }

    /// Of the whole walk, at its end.
    var tally: WalkTally { walk.tally }
}
