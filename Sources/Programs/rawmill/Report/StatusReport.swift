import Clock
import Coordinator
import Jobs
import Manifests
internal import Runs
import Telemetry

enum StatusReport {
    /// - Parameter chosen: the batch to show; nil for all.
    static func write(
        _ ledger: LedgerStore, of chosen: BatchID?, everything: Bool, to output: TextOutput
    ) throws {
        var all: [BatchReport] = []
        try ledger.reports.eachBatch { if chosen == nil || $0.batch == chosen { all.append($0) } }
        let batches = BatchSelection(of: all, everything: everything) { $0.counts.open == 0 }
        if let note = batches.note { output.write(line: note) }
        for batch in batches.shown {
            let time = WallClock.text(milliseconds: batch.submittedMilliseconds).prefix(19)
            let state = batch.state == .running ? "" : " (\(batch.state))"
            output.write(line: "batch \(batch.batch.description.prefix(8))  \(time)Z  \(batch.recipe.look)\(state)")
            output.write(line: "  \(CountsText.sentence(batch.counts))")
            if batch.reused > 0 { output.write(line: "  \(SummaryText.reused(batch.reused))") }
        }
        if chosen == nil { output.write(line: "all: \(CountsText.sentence(try ledger.reports.totals()))") }
    }

    /// Names refused jobs, degraded photos, and files that the plans left out or could not read.
    ///
    /// - Parameters:
    ///   - chosen: the batch whose files are named; nil for all jobs, and for the files that the last plan left out.
    ///   - everything: whether to name the files that any plan left out.
    /// - Returns: the roots of the files that were named.
    static func writeNames(
        _ ledger: LedgerStore, of chosen: BatchID?, everything: Bool, roots: RootMap, to output: TextOutput
    ) throws -> Set<RootName> {
        var named: Set<RootName> = []
        var heading = Heading(output: output)
        try ledger.reports.eachRefusal(of: chosen) { job in
            heading.write(job.refusal.isAboutSource ? .unseen : .refused)
            named.insert(job.file.root)
            output.write(line: "  \(TerminalText.escape("\(job.file)"))")
            output.write(line: "    \(TerminalText.escape(job.refusal.message))")
        }
        var lacksFrames = false
        try ledger.reports.eachDegraded(of: chosen) { job in
            heading.write(.degraded)
            named.insert(job.file.root)
            output.write(line: "  \(TerminalText.escape("\(job.file)"))")
            output.write(line: "    \(TerminalText.escape(job.cause))")
            lacksFrames = lacksFrames || job.isRetryable
        }
        if lacksFrames { output.write(line: "  `rawmill retry` renders the failed frames again.") }
        if chosen == nil, !everything {
            try writeLastPlan(ledger, to: output)
            return named
        }
        try ledger.reports.eachProblem(of: chosen) { problem in
            heading.write(problem.kind)
            output.write(line: "  \(roots.sentence(problem.message, about: problem.path))")
        }
        guard let chosen else { return named }
        for group in try ledger.reports.files(of: chosen) where group.kind.isOfPlan && group.total > maxKept {
            output.write(line: "  and \(group.total - maxKept) more of \"\(group.kind.heading)\" that are not kept")
        }
        return named
    }

    /// The number of names of one kind that the ledger keeps of a plan.
    private static let maxKept = LedgerReports.maxPlanNames
    private static let maxNames = 10

    private static func writeLastPlan(_ ledger: LedgerStore, to output: TextOutput) throws {
        guard let plan = try ledger.reports.lastPlan() else { return }
        let groups = try ledger.reports.files(of: plan).filter(\.kind.isOfPlan)
        if !groups.isEmpty { output.write(line: "\nThe last plan left out:") }
        for line in FileGroupText.lines(groups, maxNames: maxNames, batch: plan) { output.write(line: line) }
    }

    /// A heading above the first of each kind.
    private struct Heading {
        let output: TextOutput
        var last: FileGroup.Kind?

        mutating func write(_ kind: FileGroup.Kind) {
            if kind != last { output.write(line: "\n" + kind.style.apply("\(kind.heading):", on: output.terminal)) }
            last = kind
        }
    }

    static func writeJSON(
        _ ledger: LedgerStore, of chosen: BatchID?, roots: RootMap, to output: TextOutput
    ) throws {
        try ledger.reports.eachBatch { batch in
            guard chosen == nil || batch.batch == chosen else { return }
            let isOver = batch.state == .running && batch.counts.open == 0
            output.write(
                event: "batch",
                [
                    "batch": batch.batch.description,
                    "submitted": WallClock.text(milliseconds: batch.submittedMilliseconds),
                    "look": batch.recipe.look.description, "state": isOver ? "completed" : "\(batch.state)",
                ] + JSONFields(counts: batch.counts) + ["reused": batch.reused])
        }
        try ledger.reports.eachFailure(batch: chosen) { job in
            guard !job.isSuperseded else { return }
            output.write(
                event: "failed",
                [
                    "job": job.job.description,
                    "batch": job.batch.description,
                    "source": String(decoding: roots.absolute(job.file), as: UTF8.self),
                    "reason": job.failure.reason.rawValue,
                    "message": job.failure.message(about: job.file),
                    "attempts": job.attempts,
                ])
        }
        try ledger.reports.eachRefusal(of: chosen) { job in
            output.write(
                event: "refused",
                [
                    "job": job.job.description,
                    "batch": job.batch.description,
                    "source": String(decoding: roots.absolute(job.file), as: UTF8.self),
                    "reason": job.refusal.code,
                    "message": job.refusal.message,
                    "refusals": job.count,
                ])
        }
        try ledger.reports.eachDegraded(of: chosen) { job in
            output.write(
                event: "degraded",
                [
                    "job": job.job.description,
                    "batch": job.batch.description,
                    "source": String(decoding: roots.absolute(job.file), as: UTF8.self),
                    "message": job.cause,
                    "retryable": job.isRetryable,
                ])
        }
        try ledger.reports.eachProblem(of: chosen) { problem in
            output.write(
                event: "problem",
                [
                    "batch": problem.batch.description,
                    "kind": problem.kind.rawValue,
                    "source": String(decoding: problem.path, as: UTF8.self),
                    "message": problem.message,
                ])
        }
        let totals = try ledger.reports.totals()
        let (refused, unseen) = (try ledger.reports.refusedCount(), try ledger.reports.unseenCount())
        output.write(
            event: "total",
            JSONFields(counts: totals) + [
                "refused": refused,
                "unseen": unseen,
            ])
    }
}
