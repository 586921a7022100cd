public import Jobs

/// The plan of a run that is not made. Touches nothing: neither library nor ledger need to exist, and where they do,
/// nothing in them changes.
public enum DryRun {
    public enum Event: Hashable, Sendable {
        case entry(PlanEntry)
        case problem(WalkProblem)
    }

    /// - Parameters:
    ///   - sources: paths as the command line gives them.
    ///   - library: the library's folder, which need not exist.
    ///   - recipe: made with the ledger, for reading, where there is one.
    ///   - originals: what is to be done with the RAWs.
    ///   - report: is given every file and problem, in the order of the walk, and the roots that files are named below.
    public static func plan(
        sources: [[UInt8]], library: String, recipe: @Sendable (LedgerStore?) throws -> Recipe,
        originals: OriginalsPolicy = .reference,
        report: @Sendable (Event, RootMap) async throws -> Void
    ) async throws -> PlanCounts {
        let ledger = try Ledger.existing(library: library)
        let recipe = try await ledger?.perform { try recipe($0) } ?? recipe(nil)
        let roots = try await ledger?.perform { try $0.roots() } ?? RootMap()
        let place = Array(library.utf8).realPath
        var resolver = SourceResolver(roots: roots, library: place)
        let (areas, problems) = resolver.resolve(sources)
        let table = resolver.roots
        var counts = PlanCounts()
        for problem in problems {
            counts.count(problem)
            try await report(.problem(problem), table)
        }
        let surveyor = Surveyor(areas: areas, roots: table, library: place, recipe: recipe.id)
        while let page = try await surveyor.next(limit: 1000) {
            try Task.checkCancellation()
            for problem in page.problems {
                counts.count(problem)
                try await report(.problem(problem), table)
            }
            for entry in try await plan(page.candidates, recipe, originals, ledger) {
                counts.count(entry.planClass)
                try await report(.entry(entry), table)
            }
        }
        counts.passed = await surveyor.tally
        return counts
    }

    private static func plan(
        _ candidates: [Candidate], _ recipe: Recipe, _ originals: OriginalsPolicy, _ ledger: Ledger?
    ) async throws -> [PlanEntry] {
        if let ledger {
            return try await ledger.perform { try $0.plan(candidates, recipe: recipe, originals: originals) }
        }
        return candidates.map {
            PlanEntry(
                source: $0.found.source, job: $0.job,
                planClass: Classification.of($0, known: [], recipe: nil, originals: originals))
        }
    }
}
