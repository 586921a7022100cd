internal import Jobs
internal import Manifests

/// Plans the orders of one lane, one after another.
struct OrderPlanner {
    let lane: Lane
    let ledger: Ledger
    /// The library's folder.
    let library: String
    let settings: RunSettings
    let report: @Sendable (RunEvent) async -> Void

    /// Runs until the task is cancelled.
    func run() async throws {
        while !Task.isCancelled {
            guard let waiting = try await ledger.perform({ [lane] in try $0.nextOrder(lane) }) else {
                try await Task.sleep(for: .milliseconds(100))
                continue
            }
            try await plan(waiting)
        }
    }

    /// A plan that a crash cut short is made anew: what it accepted is in the ledger, and is not accepted twice.
    private func plan(_ waiting: WaitingOrder) async throws {
        let order = waiting.order
        let table = try await ledger.perform { try $0.roots() }
        var paths: [[UInt8]] = []
        for place in order.sources {
            guard let path = path(of: place, table) else {
                return try await refuse(order.batch, Self.unknownRoot(place.root, table))
            }
            paths.append(path)
        }
        let planner = Planner(
            ledger: ledger, library: library,
            request: RunRequest(sources: paths, submission: try await submission(waiting)), settings: settings,
            state: RunState(), report: report, makesRoots: false)
        do {
            let counts = try await planner.plan()
            try await ledger.perform { try $0.planned(order.batch, counts) }
            await report(.orderPlanned(order.batch, counts))
        } catch LedgerError.batchCancelled {
            _ = try await ledger.perform { try $0.cancelOrder(order.batch) }
        }
    }

    private func path(of place: ConversionOrder.Location, _ table: RootMap) -> [UInt8]? {
        let root: [UInt8]? = place.root == .library ? Array(library.utf8).realPath : table.path(of: place.root)
        return root.map { root in place.path.map { root + [.slash] + $0.bytes } ?? root }
    }

    private func submission(_ waiting: WaitingOrder) async throws -> Submission {
        let order = waiting.order
        var recipe = order.recipe
        if order.hasOwnLook {
            // The version given is that of the look of this name which ships with Rawmill; 1 where there is none.
            let (name, digest, above) = (recipe.look.name, recipe.look.digest, recipe.look.version - 1)
            recipe.look = try await ledger.perform { try $0.pinLook(name: name, digest: digest, above: above) }
        }
        return Submission(
            batch: order.batch, recipe: recipe, lane: order.lane, originals: order.originals,
            traceparent: waiting.traceparent, submittedMilliseconds: order.submittedMilliseconds)
    }

    private func refuse(_ batch: BatchID, _ problem: String) async throws {
        try await ledger.perform { try $0.refuse(batch, problem) }
        await report(.refused(batch, problem))
    }

    private static func unknownRoot(_ name: RootName, _ table: RootMap) -> String {
        let known = table.all.map(\.name.text).joined(separator: ", ")
        return "The coordinator has no root \(name). It has: \(known.isEmpty ? "none" : known). "
            + "Start it with --root \(name)=PATH, and the workers too."
    }
}
