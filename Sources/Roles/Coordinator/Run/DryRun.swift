public import Jobs
internal import Storage

/// The plan of a run without running it. It changes nothing; library and ledger need not exist.
public enum DryRun {
    /// An event of a dry run.
    public enum Event: Hashable, Sendable {
        case entry(PlanEntry)
        case problem(WalkProblem)
        case skipped(SkippedFile)
    }

    /// Walks the sources and plans every file.
    ///
    /// - Parameters:
    ///   - sources: paths as given on the command line.
    ///   - library: the library's folder, which need not exist.
    ///   - recipes: returns the recipes, given the ledger for reading if it exists.
    ///   - report: receives every file and problem in the order of the walk, and the roots of the files.
    /// - Throws: `DatabaseError`, `LedgerError`, `WalkError`, and what `recipes` and `report` throw.
    public static func plan(
        sources: [[UInt8]], library: String, filter: SourceFilter = SourceFilter(),
        recipes: @Sendable (LedgerStore?) throws -> [Recipe],
        originals: OriginalsPolicy = .reference,
        report: @Sendable (Event, RootMap) async throws -> Void
    ) async throws -> PlanCounts {
        let ledger = try Ledger.existing(library: library)
        let recipes = try await ledger?.perform { try recipes($0) } ?? recipes(nil)
        let knownRoots = try await ledger?.perform { try $0.roots.all() } ?? RootMap()
        let libraryPath = RealPath.of(Array(library.utf8))
        var resolver = SourceResolver(roots: knownRoots, library: libraryPath)
        let (folders, problems) = resolver.resolve(sources)
        let roots = resolver.roots
        var counts = PlanCounts()
        for problem in problems {
            counts.count(problem)
            try await report(.problem(problem), roots)
        }
        let walk = try PagedWalk(folders, roots: roots, library: libraryPath, filter: filter)
        while let page = try await walk.next(limit: 1000) {
            try Task.checkCancellation()
            for problem in page.problems {
                counts.count(problem)
                try await report(.problem(problem), roots)
            }
            for file in page.skipped { try await report(.skipped(file), roots) }
            for recipe in recipes {
                let candidates = page.sources.map { Candidate($0, recipe: recipe.id) }
                for entry in try await plan(candidates, recipe, originals, ledger) {
                    counts.count(entry.planClass)
                    try await report(.entry(entry), roots)
                }
            }
        }
        counts.skipped = await walk.tally
        return counts
    }

    private static func plan(
        _ candidates: [Candidate], _ recipe: Recipe, _ originals: OriginalsPolicy, _ ledger: Ledger?
    ) async throws -> [PlanEntry] {
        if let ledger {
            return try await ledger.perform {
                try $0.intake.plan(candidates, recipe: recipe, originals: originals)
            }
        }
        return candidates.map {
            PlanEntry(
                source: $0.found.source, job: $0.job,
                planClass: Classification.of($0, known: [], recipe: nil, originals: originals))
        }
    }
}
