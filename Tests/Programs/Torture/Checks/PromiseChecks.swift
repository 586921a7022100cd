import CommandLineTool
import Coordinator
import Jobs
import Manifests
import PhotoTree

/// Compares the results of a tortured cluster with Rawmill's promises.
struct PromiseChecks {
    let run: TortureRun
    /// Whether everything was completed in time.
    let isFinished: Bool
    var layout: ClusterLayout { run.layout }

    func outcome() async throws -> Outcome {
        let logs = try RoleLogs(
            folder: layout.logs, explained: run.plan.scenario.explainedEvents,
            fillsDisk: run.plan.scenario.harms.contains(.fillDisk))
        let (jobs, failures, catalogued) = try await noLostJob()
        var verdicts = [jobs]
        if run.tally.garbageSent > 0 { verdicts.append(noLostGarbage) }
        verdicts += try await files(catalogued)
        if run.plan.scenario == .mounts { verdicts.append(try nothingWhereNothingIsMounted()) }
        if run.plan.scenario == .duplicates { verdicts.append(try everyPath()) }
        verdicts += [committedOffsets(logs), try await boundedRedo(logs), progress]
        if !run.sources.poison.isEmpty { verdicts.append(try await isolation(failures, logs)) }
        verdicts += [try await sameBytes(), nothingLeft, unexplainedErrors(logs)]
        // A role that waits for its disk grows only when it begins to work.
        if !run.plan.scenario.harms.contains(.failCall) { verdicts.append(run.resources.verdict) }
        verdicts += [try peoplesFiles(), try await cataloguedIsCatalogued()]
        // Last, because it changes the library.
        if run.plan.scenario == .people { verdicts.append(try await peoplesFilesAfterRepair()) }
        return Outcome(
            verdicts: verdicts, tally: run.tally, jobs: run.jobs, renders: logs.rendersEnded,
            repeatedRenders: logs.repeatedRenders)
    }

    private func noLostJob() async throws -> (Verdict, [FailedJob], catalogued: Int) {
        guard let ledger = try Ledger.existing(library: layout.library) else {
            return (Verdict(name: "I1 no lost job", holds: false, text: "there is no ledger"), [], 0)
        }
        let (totals, complaints) = try await ledger.perform { (try $0.reports.totals(), try $0.reports.audit()) }
        let failures = try await ledger.perform { store in
            var failures: [FailedJob] = []
            try store.reports.eachFailure { failures.append($0) }
            return failures
        }
        let catalogued = totals.catalogued + totals.degraded
        let isWhole = totals.isBalanced && totals.open == 0 && totals.accepted == run.jobs && complaints.isEmpty
        let text =
            "\(totals.accepted) accepted = \(catalogued) catalogued + \(totals.failed) failed + "
            + "\(totals.cancelled) cancelled + \(totals.open) open, of \(run.jobs), "
            + "\(run.sources.poison.count) of them poison"
        let innocent = failures.filter { run.sources.poison[name($0)] == nil }
        let details = innocent.prefix(3).map { "\(name($0)) failed: \($0.failure.message)" }
        return (
            Verdict(
                name: "I1 no lost job", holds: isWhole && totals.failed - innocent.count == run.sources.poison.count,
                text: ([text] + complaints + details).joined(separator: "; ")), failures, catalogued
        )
    }

    func name(_ failed: FailedJob) -> String { String(decoding: failed.file.path.name, as: UTF8.self) }

    private var noLostGarbage: Verdict {
        let (letters, sent) = (run.tally.deadLetters, run.tally.garbageSent)
        return Verdict(
            name: "I1 no lost garbage", holds: letters >= sent, text: "\(letters) dead letters, \(sent) of garbage")
    }

    /// The ledger's catalogued jobs and the library's rows (I12), during the run and at its end.
    private func cataloguedIsCatalogued() async throws -> Verdict {
        let comparison = try await run.catalogue.compare()
        // In an unfinished run, the library may have photos that the ledger does not know yet.
        let complaints = run.catalogue.complaints + (isFinished ? comparison.complaints : [])
        return Verdict(
            name: "I12 catalogued is in the library", holds: complaints.isEmpty,
            text: "\(comparison.jobs) jobs are catalogued, \(comparison.photos) photos have rows; "
                + "\(run.catalogue.samples) comparisons on the way" + Verdict.list(complaints))
    }
}
