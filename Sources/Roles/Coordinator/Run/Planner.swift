internal import Jobs
internal import Storage

/// Walks the sources and accepts what is to be converted, page by page, so that the first jobs are rendered before the
/// walk is complete.
struct Planner {
    let ledger: Ledger
    /// The library's folder.
    let library: String
    let request: RunRequest
    let settings: RunSettings
    let state: RunState
    let report: @Sendable (RunEvent) async -> Void
    /// False in a cluster, where every machine must know a root by the same name.
    var registersRoots = true

    /// Plans the request and notes the end of the plan in the run's state.
    func run() async throws {
        do {
            state.planEnded(try await plan())
        } catch LedgerError.batchCancelled {
            state.planEnded(nil)
        }
    }

    /// Plans the request.
    ///
    /// - Throws: `LedgerError.batchCancelled` if the batch was cancelled before or meanwhile.
    func plan() async throws -> PlanCounts {
        let libraryPath = RealPath.of(Array(library.utf8))
        var resolver = SourceResolver(roots: try await ledger.perform { try $0.roots.all() }, library: libraryPath)
        let known = Set(resolver.roots.all)
        var (folders, problems) = resolver.resolve(request.sources)
        if !registersRoots { folders = Self.removingUnknownRoots(folders, known, &problems) }
        let roots = registersRoots ? resolver.roots : RootMap(Array(known))
        // The roots must be durable before a job names one.
        try await ledger.perform { try $0.roots.register(roots) }
        var counts = PlanCounts()
        await reportProblems(problems, &counts)
        let walk = try PagedWalk(
            folders, roots: roots, library: libraryPath, recipe: request.submission.recipe.id)
        try await accept(walk, &counts)
        counts.skipped = await walk.tally
        await report(.planned(counts))
        return counts
    }

    /// Leaves out folders that are outside all known roots because the source is a link.
    private static func removingUnknownRoots(
        _ folders: [SourceFolder], _ roots: Set<RegisteredRoot>, _ problems: inout [WalkProblem]
    ) -> [SourceFolder] {
        let names = Set(roots.map(\.name))
        problems += folders.filter { !names.contains($0.root) }.map { WalkProblem(.outsideRoots, $0.path) }
        return folders.filter { names.contains($0.root) }
    }

    /// Accepts one page while the next one is walked.
    private func accept(_ walk: PagedWalk, _ counts: inout PlanCounts) async throws {
        let limit = settings.acceptBatchSize
        let submission = request.submission
        var page = try await walk.next(limit: limit)
        while let current = page {
            try Task.checkCancellation()
            async let following = walk.next(limit: limit)
            await reportProblems(current.problems, &counts)
            let accepted = try await ledger.perform { try $0.intake.accept(current.candidates, for: submission) }
            state.jobsAccepted()
            for entry in accepted {
                counts.count(entry.planClass)
                await report(.entry(entry))
            }
            page = try await following
        }
    }

    private func reportProblems(_ problems: [WalkProblem], _ counts: inout PlanCounts) async {
        for problem in problems {
            counts.count(problem)
            await report(.problem(problem))
        }
    }
}
