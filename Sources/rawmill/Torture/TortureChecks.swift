import Catalogue
import Coordinator
import Storage
import Synchronization

/// Whether one of the promises held.
struct TortureVerdict {
    let name: String
    let holds: Bool
    let text: String
}

/// Compares what is left of a tortured cluster with the promises that Rawmill makes.
struct TortureChecks {
    let run: TortureRun
    let isOver: Bool
    private var place: TorturePlace { run.place }

    func verdicts() async throws -> [TortureVerdict] {
        let logs = try TortureLogs(folder: place.logs, explained: run.plan.scenario.explained)
        let (jobs, catalogued) = try await noLostJob()
        let garbage = run.story.garbageSent > 0 ? [putAside] : []
        let rest = [offsets(logs), redo(logs), progress, left, words(logs)]
        return [jobs] + garbage + (try await files(catalogued)) + rest
    }

    private func noLostJob() async throws -> (TortureVerdict, catalogued: Int) {
        guard let ledger = try Ledger.existing(library: place.library) else {
            return (TortureVerdict(name: "I1 no lost job", holds: false, text: "there is no ledger"), 0)
        }
        let (totals, complaints) = try await ledger.perform { (try $0.totals(), try $0.audit()) }
        let done = totals.catalogued + totals.degraded
        let isWhole = totals.isBalanced && totals.open == 0 && totals.accepted == run.plan.jobs && complaints.isEmpty
        let mayFail = run.plan.scenario.explained.contains("job.failed") || run.story.done[.kill] != nil
        let holds = isWhole && (totals.failed == run.poisoned || (mayFail && totals.failed >= run.poisoned))
        let text =
            "\(totals.accepted) accepted = \(done) catalogued + \(totals.failed) failed + \(totals.cancelled) cancelled + "
            + "\(totals.open) open, of \(run.plan.jobs), \(run.poisoned) of them no photos"
        return (
            TortureVerdict(name: "I1 no lost job", holds: holds, text: ([text] + complaints).joined(separator: "; ")),
            done
        )
    }

    private var putAside: TortureVerdict {
        let (letters, sent) = (run.story.deadLetters, run.story.garbageJobs)
        return TortureVerdict(
            name: "I1 no lost garbage", holds: letters >= sent, text: "\(letters) dead letters, \(sent) of garbage")
    }

    /// Every file hashed; every row and every name checked.
    private func files(_ catalogued: Int) async throws -> [TortureVerdict] {
        let found = Mutex<[Finding]>([])
        let verification = Verification(
            library: place.library, roots: try RootOptions.open(place.roots), checkers: Machine.cores)
        let report = try await verification.run(onFinding: { finding in found.withLock { $0.append(finding) } })
        let findings = found.withLock { $0 }
        let half: Set<Finding.Kind> = [.photoChanged, .previewChanged, .copyChanged, .staleTemporary, .unreadable]
        let rows = findings.filter { !half.contains($0.kind) }
        let torn = findings.filter { half.contains($0.kind) }
        return [
            TortureVerdict(
                name: "I2 one row, one file", holds: rows.isEmpty && report.photos == catalogued,
                text: "\(report.photos) photos of \(catalogued) catalogued" + words(rows)),
            TortureVerdict(
                name: "I3 no half file", holds: torn.isEmpty,
                text: "\(report.photos + report.previews) files have their digests, no unfinished ones" + words(torn)),
        ]
    }

    private func words(_ findings: [Finding]) -> String {
        findings.prefix(5).map { "; \(VerifyReport.text($0))" }.joined()
            + (findings.count > 5 ? "; and \(findings.count - 5) more" : "")
    }

    private func offsets(_ logs: TortureLogs) -> TortureVerdict {
        let complaints = run.story.offsetComplaints
        let text = "\(logs.refusedCommits) commits refused" + complaints.prefix(5).map { "; \($0)" }.joined()
        return TortureVerdict(
            name: "I4 committed ≤ lowest unfinished", holds: logs.refusedCommits == 0 && complaints.isEmpty, text: text)
    }

    /// What is in flight or finished and not committed when a worker goes, or its partitions do, is done again.
    private func redo(_ logs: TortureLogs) -> TortureVerdict {
        let again = logs.rendersEnded - logs.jobs.count
        let ends = (run.story.done[.kill] ?? 0) + logs.revocations
        let bound = ends * Self.inFlight + run.story.jobsResent
        return TortureVerdict(
            name: "I5 bounded redo", holds: again <= bound,
            text: "\(logs.rendersEnded) renders of \(logs.jobs.count) jobs: \(again) again, at most \(bound) allowed")
    }

    /// Deliveries in flight in a worker of two slots, and what may be finished behind the oldest of them.
    private static let inFlight = 64

    private var progress: TortureVerdict {
        TortureVerdict(
            name: "I6 progress", holds: isOver,
            text: isOver ? "everything came to its end" : "not done within \(run.plan.patience)")
    }

    private var left: TortureVerdict {
        let processes = ProcessTable.naming(place.library)
        let late = run.story.disorderlyEnds
        return TortureVerdict(
            name: "I9 nothing left", holds: processes.isEmpty && late.isEmpty,
            text: "\(processes.count) processes left" + (late.isEmpty ? "" : "; not in good order ended \(late)"))
    }

    private func words(_ logs: TortureLogs) -> TortureVerdict {
        TortureVerdict(
            name: "I10 no unexplained error", holds: logs.unexplained.isEmpty,
            text: "\(logs.unexplained.count) lines" + logs.unexplained.prefix(5).map { "; \($0)" }.joined())
    }
}
