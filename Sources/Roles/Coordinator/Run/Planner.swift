internal import Jobs

/// Walks the sources and accepts what is to be converted, page by page, so that the first jobs are rendered before the
/// walk is at its end.
struct Planner {
    let ledger: Ledger
    /// The library's folder.
    let library: String
    let request: RunRequest
    let settings: RunSettings
    let state: RunState
    let report: @Sendable (RunEvent) async -> Void
    /// False for a cluster, where every machine has to know a root by the same name.
    var makesRoots = true

    func run() async throws {
        do {
            state.planEnded(try await plan())
        } catch LedgerError.batchCancelled {
            state.planEnded(nil)
        }
    }

    func plan() async throws -> PlanCounts {
        let place = Array(library.utf8).realPath
        var resolver = SourceResolver(roots: try await ledger.perform { try $0.roots() }, library: place)
        let known = Set(resolver.roots.all)
        var (areas, problems) = resolver.resolve(request.sources)
        if !makesRoots { areas = Self.within(known, areas, &problems) }
        let roots = makesRoots ? resolver.roots : RootMap(Array(known))
        // The roots are durable before a job names one.
        try await ledger.perform { try $0.register(roots) }
        var counts = PlanCounts()
        await tell(problems, &counts)
        let surveyor = Surveyor(
            areas: areas, roots: roots, library: place, recipe: request.submission.recipe.id,
            scratchFolder: settings.scratchFolder)
        try await accept(surveyor, &counts)
        counts.passed = await surveyor.tally
        await report(.planned(counts))
        return counts
    }

    /// What a link leads out of every root to is not converted.
    private static func within(
        _ roots: Set<RegisteredRoot>, _ areas: [SourceFolder], _ problems: inout [WalkProblem]
    ) -> [SourceFolder] {
        let names = Set(roots.map(\.name))
        problems += areas.filter { !names.contains($0.root) }.map { WalkProblem(.outsideRoots, $0.path) }
        return areas.filter { names.contains($0.root) }
    }

    /// The next page is walked while one is accepted.
    private func accept(_ surveyor: Surveyor, _ counts: inout PlanCounts) async throws {
        let limit = settings.acceptBatchSize
        let submission = request.submission
        var page = try await surveyor.next(limit: limit)
        while let current = page {
            try Task.checkCancellation()
            async let following = surveyor.next(limit: limit)
            await tell(current.problems, &counts)
            let accepted = try await ledger.perform { try $0.accept(current.candidates, for: submission) }
            state.jobsAccepted()
            for entry in accepted {
                counts.count(entry.planClass)
                await report(.entry(entry))
            }
            page = try await following
        }
    }

    private func tell(_ problems: [WalkProblem], _ counts: inout PlanCounts) async {
        for problem in problems {
            counts.count(problem)
            await report(.problem(problem))
        }
    }
}
