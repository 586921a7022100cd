internal import Broker
internal import Jobs
internal import Manifests
internal import Storage

/// Plans the orders of one lane, one after another.
struct OrderPlanner {
    let lane: Lane
    let ledger: Ledger
    let library: String
    let registry: RootRegistry
    let settings: RunSettings
    let report: @Sendable (RunEvent) async -> Void

    func run() async throws {
        while !Task.isCancelled {
            let signalCount = ledger.changes.signalCount
            let waiting = try await ledger.perform { [lane] in try $0.orders.next(lane) }
            if let first = waiting.first {
                try await plan(waiting, like: first)
            } else {
                await ledger.changes.waitUnlessCancelled(after: signalCount)
            }
        }
    }

    /// Plans the orders of a family, which differ only in their recipes; `first` is one of them. An interrupted plan
    /// starts again; accepted jobs are in the ledger and not accepted twice.
    private func plan(_ family: [WaitingOrder], like first: WaitingOrder) async throws {
        let roots = try await ledger.perform { try $0.roots.all() }
        guard let filter = Self.filter(of: first.order) else {
            return try await refuse(family, "A pattern of --exclude is unknown here. Upgrade the coordinator.")
        }
        if let problem = try await problem(with: first, roots) { return try await refuse(family, problem) }
        var submissions: [Submission] = []
        for waiting in family { submissions.append(try await submission(waiting)) }
        let request = RunRequest(
            sources: first.order.sources.compactMap { path(of: $0, roots) }, submissions: submissions, filter: filter)
        let planner = Planner(
            ledger: ledger, library: library, request: request, settings: settings, state: RunState(ledger),
            report: report,
            registersRoots: false, sources: { try await sources(of: first, part: $0, roots) })
        let planned: [BatchID: PlanCounts]
        do { planned = try await planner.plan().byBatch } catch LedgerError.batchCancelled { planned = [:] }
        for batch in family.map(\.order.batch) {
            guard let counts = planned[batch] else {
                try await ledger.perform { try $0.orders.cancel(batch) }
                continue
            }
            try await ledger.perform { try $0.orders.finish(batch, counts) }
            await report(.orderPlanned(batch, counts))
        }
    }

    private func sources(of waiting: WaitingOrder, part: UInt32, _ roots: RootMap) async throws -> [[UInt8]]? {
        guard part < waiting.order.sourceParts else { return nil }
        let sources = try await ledger.perform { try $0.orders.sources(of: waiting.family, part: part) }
        // All were there before the plan began; an order that was cancelled meanwhile has none.
        guard let sources else { throw LedgerError.batchCancelled }
        return sources.compactMap { path(of: $0, roots) }
    }

    private static func filter(of order: ConversionOrder) -> SourceFilter? {
        let globs = order.excluded.compactMap { Glob($0) }
        return globs.count == order.excluded.count ? SourceFilter(excluded: globs, minRating: order.minRating) : nil
    }

    /// Why the order must be refused; nil if it is acceptable.
    private func problem(with waiting: WaitingOrder, _ roots: RootMap) async throws -> String? {
        let order = waiting.order
        var named = Set(order.sources.map(\.root))
        for part in 0..<order.sourceParts {
            let sources = try await ledger.perform { try $0.orders.sources(of: waiting.family, part: part) }
            guard let sources else {
                return "Its list of sources is incomplete: part \(part + 1) of \(order.sourceParts) is missing. "
                    + "Submit it again."
            }
            named.formUnion(sources.map(\.root))
        }
        for root in named.sorted() where root != .library && roots.path(of: root) == nil {
            return Self.unknownRoot(root, roots)
        }
        // A root whose mount is missing would give an empty plan.
        for root in roots.all where named.contains(root.name) {
            if let problem = try await registry.problem(of: root) { return problem }
        }
        return nil
    }

    private func path(of source: ConversionOrder.Location, _ roots: RootMap) -> [UInt8]? {
        let root = source.root == .library ? RealPath.of(Array(library.utf8)) : roots.path(of: source.root)
        return root.map { root in source.path.map { root + [.slash] + $0.bytes } ?? root }
    }

    private func submission(_ waiting: WaitingOrder) async throws -> Submission {
        let order = waiting.order
        var recipe = order.recipe
        if order.hasOwnLook {
            // The order's version follows that of the look with this name that ships with Rawmill; it is 1 if there is
            // none.
            let (name, digest, above) = (recipe.look.name, recipe.look.digest, recipe.look.version - 1)
            recipe.look = try await ledger.perform { try $0.looks.pin(name: name, digest: digest, above: above) }
        }
        return Submission(
            batch: order.batch, recipe: recipe, lane: order.lane, originals: order.originals, isHeld: order.isHeld,
            traceparent: waiting.traceparent, submittedMilliseconds: order.submittedMilliseconds)
    }

    private func refuse(_ family: [WaitingOrder], _ problem: String) async throws {
        for batch in family.map(\.order.batch) {
            try await ledger.perform { try $0.orders.refuse(batch, problem) }
            await report(.refused(batch, problem))
        }
    }

    private static func unknownRoot(_ name: RootName, _ roots: RootMap) -> String {
        let known = roots.all.map(\.name.text).joined(separator: ", ")
        return "The coordinator has no root \(name). Its roots: \(known.isEmpty ? "none" : known). "
            + "Start it and the workers with --root \(name)=PATH."
    }
}
