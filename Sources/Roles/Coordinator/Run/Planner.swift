internal import Broker
internal import Jobs
internal import Storage

/// Walks the sources and accepts the wanted files page by page, so that the first jobs are rendered before the walk is
/// complete.
struct Planner {
    let ledger: Ledger
    let library: String
    let request: RunRequest
    let settings: RunSettings
    let state: RunState
    let report: @Sendable (RunEvent) async -> Void
    /// False in a cluster, where every machine must use the same name for a root.
    var registersRoots = true
    /// Further sources by part number, from 0; nil after the last. Only one part is in memory at a time.
    var sources: (@Sendable (_ part: UInt32) async throws -> [[UInt8]]?)?

    /// Plans the request. Throws `LedgerError.batchCancelled` if all its batches are cancelled.
    func plan() async throws -> RequestCounts {
        for submission in request.submissions {
            try await ledger.perform { try $0.leftOut.begin(submission.batch) }
        }
        let libraryPath = RealPath.of(Array(library.utf8))
        var resolver = SourceResolver(roots: try await ledger.perform { try $0.roots.all() }, library: libraryPath)
        var counts = RequestCounts(request.submissions)
        try await plan(request.sources, &resolver, &counts)
        var part: UInt32 = 0
        while let sources = try await sources?(part) {
            try await plan(sources, &resolver, &counts)
            part += 1
        }
        return counts
    }

    private func plan(
        _ sources: [[UInt8]], _ resolver: inout SourceResolver, _ counts: inout RequestCounts
    ) async throws {
        let known = Set(resolver.roots.all)
        let former = resolver
        var (folders, problems) = resolver.resolve(sources)
        if !registersRoots {
            folders = Self.removingUnknownRoots(folders, known, &problems)
            resolver = former
        }
        let roots = resolver.roots
        // The roots must be durable before a job names one.
        try await ledger.perform { try $0.roots.register(roots) }
        try await take(problems, [], &counts)
        let walk = try PagedWalk(folders, roots: roots, library: resolver.library, filter: request.filter)
        try await accept(walk, &counts)
        counts.shared.skipped.add(await walk.tally)
    }

    /// Leaves out folders outside all known roots, to which a source links.
    private static func removingUnknownRoots(
        _ folders: [SourceFolder], _ roots: Set<RegisteredRoot>, _ problems: inout [WalkProblem]
    ) -> [SourceFolder] {
        let names = Set(roots.map(\.name))
        problems += folders.filter { !names.contains($0.root) }.map { WalkProblem(.outsideRoots, $0.path) }
        return folders.filter { names.contains($0.root) }
    }

    /// Accepts one page while the next one is walked.
    private func accept(_ walk: PagedWalk, _ counts: inout RequestCounts) async throws {
        let limit = settings.acceptBatchSize
        var page = try await walk.next(limit: limit)
        while let current = page {
            try Task.checkCancellation()
            async let following = walk.next(limit: limit)
            try await take(current.problems, current.skipped, &counts)
            try await accept(current.sources, &counts)
            page = try await following
        }
    }

    /// Accepts the sources for each submission in one ledger operation, so that the jobs of one photo are sent
    /// together.
    private func accept(_ sources: [FoundSource], _ counts: inout RequestCounts) async throws {
        let (missing, submissions) = (request.missing, request.submissions.filter { counts.isAccepted($0.batch) })
        let family = request.submissions.count > 1 ? request.submissions.first?.batch : nil
        let accepted = try await ledger.perform { store in
            try submissions.map { submission -> [PlanEntry]? in
                let candidates = sources.map { Candidate($0, recipe: submission.recipe.id) }
                do {
                    return try store.intake.accept(candidates, for: submission, missing: missing, family: family)
                } catch LedgerError.batchCancelled {
                    return nil
                }
            }
        }
        ledger.changes.signal()
        // Files that the first submission found new, and are new to the others too.
        var fresh: Set<FileReference> = []
        for (submission, entries) in zip(submissions, accepted) {
            guard let entries else {
                try counts.cancel(submission.batch)
                continue
            }
            for entry in entries {
                let file = entry.source.raw.file
                let isNew = entry.planClass == .new || entry.planClass == .stale(.recipe) && fresh.contains(file)
                if isNew, request.submissions.count > 1 { fresh.insert(file) }
                let planClass = isNew ? .new : entry.planClass
                counts.count(planClass, submission.batch)
                await report(.entry(PlanEntry(source: entry.source, job: entry.job, planClass: planClass)))
            }
        }
    }

    private func take(
        _ problems: [WalkProblem], _ skipped: [SkippedFile], _ counts: inout RequestCounts
    ) async throws {
        let files = problems.map { LeftOutFile($0) } + skipped.map { LeftOutFile($0) }
        if !files.isEmpty {
            let batches = request.submissions.map(\.batch)
            try await ledger.perform { store in for batch in batches { try store.leftOut.add(files, to: batch) } }
        }
        for problem in problems {
            counts.shared.count(problem)
            await report(.problem(problem))
        }
        for file in skipped { await report(.skipped(file)) }
    }
}

/// Counts of a request's plan: shared by its submissions, and the jobs of each.
struct RequestCounts {
    var shared = PlanCounts()
    private var own: [BatchID: PlanCounts] = [:]

    init(_ submissions: [Submission]) { for submission in submissions { own[submission.batch] = PlanCounts() } }

    func isAccepted(_ batch: BatchID) -> Bool { own[batch] != nil }

    var byBatch: [BatchID: PlanCounts] { own.mapValues { shared + $0 } }

    var total: PlanCounts { own.values.reduce(shared) { $0 + $1 } }

    mutating func count(_ planClass: PlanClass, _ batch: BatchID) { own[batch]?.count(planClass) }

    /// Throws `LedgerError.batchCancelled` if no other batch is left.
    mutating func cancel(_ batch: BatchID) throws {
        own[batch] = nil
        if own.isEmpty { throw LedgerError.batchCancelled }
    }
}
