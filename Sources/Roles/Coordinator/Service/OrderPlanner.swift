internal import Jobs
internal import Manifests
internal import Storage

/// Plans the orders of one lane, one after another.
struct OrderPlanner {
    let lane: Lane
    let ledger: Ledger
    /// The library's folder.
    let library: String
    let registry: RootRegistry
    let settings: RunSettings
    let report: @Sendable (RunEvent) async -> Void

    /// Runs until the task is cancelled.
    func run() async throws {
        while !Task.isCancelled {
            guard let waiting = try await ledger.perform({ [lane] in try $0.orders.next(lane) }) else {
                try await Task.sleep(for: .milliseconds(100))
                continue
            }
            try await plan(waiting)
        }
    }

    /// A plan that a crash interrupted starts again. What it accepted is in the ledger and is not accepted twice.
    private func plan(_ waiting: WaitingOrder) async throws {
        let order = waiting.order
        let roots = try await ledger.perform { try $0.roots.all() }
        var paths: [[UInt8]] = []
        for source in order.sources {
            guard let path = path(of: source, roots) else {
                return try await refuse(order.batch, Self.unknownRoot(source.root, roots))
            }
            paths.append(path)
        }
        if let problem = try await rootProblem(order, roots) { return try await refuse(order.batch, problem) }
        let planner = Planner(
            ledger: ledger, library: library,
            request: RunRequest(sources: paths, submission: try await submission(waiting)), settings: settings,
            state: RunState(), report: report, registersRoots: false)
        do {
            let counts = try await planner.plan()
            try await ledger.perform { try $0.orders.finish(order.batch, counts) }
            await report(.orderPlanned(order.batch, counts))
        } catch LedgerError.batchCancelled {
            try await ledger.perform { try $0.orders.cancel(order.batch) }
        }
    }

    /// A root whose mount is missing would make a plan of nothing.
    private func rootProblem(_ order: ConversionOrder, _ roots: RootMap) async throws -> String? {
        for root in roots.all where order.sources.contains(where: { $0.root == root.name }) {
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
            // The order's version follows the look of this name that ships with Rawmill; it is 1 if there is none.
            let (name, digest, above) = (recipe.look.name, recipe.look.digest, recipe.look.version - 1)
            recipe.look = try await ledger.perform { try $0.looks.pin(name: name, digest: digest, above: above) }
        }
        return Submission(
            batch: order.batch, recipe: recipe, lane: order.lane, originals: order.originals,
            traceparent: waiting.traceparent, submittedMilliseconds: order.submittedMilliseconds)
    }

    private func refuse(_ batch: BatchID, _ problem: String) async throws {
        try await ledger.perform { try $0.orders.refuse(batch, problem) }
        await report(.refused(batch, problem))
    }

    private static func unknownRoot(_ name: RootName, _ roots: RootMap) -> String {
        let known = roots.all.map(\.name.text).joined(separator: ", ")
        return "The coordinator has no root \(name). It has: \(known.isEmpty ? "none" : known). "
            + "Start it with --root \(name)=PATH, and the workers too."
    }
}
