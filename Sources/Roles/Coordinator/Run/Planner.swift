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
        try await reportProblems(problems, &counts)
        let walk = try PagedWalk(folders, roots: roots, library: libraryPath, filter: request.filter)
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
        var page = try await walk.next(limit: limit)
        while let current = page {
            try Task.checkCancellation()
            async let following = walk.next(limit: limit)
            try await reportProblems(current.problems, &counts)
            for file in current.skipped { await report(.skipped(file)) }
            var fresh: Set<FileReference> = []
            for submission in request.submissions { try await accept(current.sources, submission, &fresh, &counts) }
            page = try await following
        }
    }

    /// - Parameter fresh: files that the first of the request's submissions found new, and are new to the others too.
    private func accept(
        _ sources: [FoundSource], _ submission: Submission, _ fresh: inout Set<FileReference>,
        _ counts: inout PlanCounts
    ) async throws {
        let candidates = sources.map { Candidate($0, recipe: submission.recipe.id) }
        let missing = request.missing
        let accepted = try await ledger.perform {
            try $0.intake.accept(candidates, for: submission, missing: missing)
        }
        state.jobsAccepted()
        for entry in accepted {
            let file = entry.source.raw.file
            let isNew = entry.planClass == .new || entry.planClass == .stale(.recipe) && fresh.contains(file)
            if isNew, request.submissions.count > 1 { fresh.insert(file) }
            let planClass = isNew ? .new : entry.planClass
            counts.count(planClass)
            await report(.entry(PlanEntry(source: entry.source, job: entry.job, planClass: planClass)))
        }
    }

    private func reportProblems(_ problems: [WalkProblem], _ counts: inout PlanCounts) async throws {
        if !problems.isEmpty, let batch = request.submissions.first?.batch {
            try await ledger.perform { try $0.orders.note(problems, of: batch) }
        }
        for problem in problems {
            counts.count(problem)
            await report(.problem(problem))
        }
    }
}
