import Library
import Coordinator
import Jobs
import Manifests
import Storage
import Synchronization

/// Compares what is left of a tortured cluster with the promises that Rawmill makes.
struct TortureChecks {
    let run: TortureRun
    let isOver: Bool
    var place: TorturePlace { run.place }

    func outcome() async throws -> TortureOutcome {
        let logs = try TortureLogs(folder: place.logs, explained: run.plan.scenario.explained)
        let (jobs, failures, catalogued) = try await noLostJob()
        var verdicts = [jobs]
        if run.story.garbageSent > 0 { verdicts.append(putAside) }
        verdicts += try await files(catalogued)
        verdicts += [offsets(logs), try await redo(logs), progress]
        if !run.sources.poison.isEmpty { verdicts.append(try await isolation(failures, logs)) }
        verdicts += [try await sameBytes(), left, run.watch.verdict, words(logs)]
        return TortureOutcome(
            verdicts: verdicts, story: run.story, jobs: run.plan.jobs, renders: logs.rendersEnded, again: logs.again)
    }

    private func noLostJob() async throws -> (TortureVerdict, [FailedJob], catalogued: Int) {
        guard let ledger = try Ledger.existing(library: place.library) else {
            return (TortureVerdict(name: "I1 no lost job", holds: false, text: "there is no ledger"), [], 0)
        }
        let (totals, complaints) = try await ledger.perform { (try $0.totals(), try $0.audit()) }
        let failures = try await ledger.perform { store in
            var failures: [FailedJob] = []
            try store.eachFailure { failures.append($0) }
            return failures
        }
        let done = totals.catalogued + totals.degraded
        let isWhole = totals.isBalanced && totals.open == 0 && totals.accepted == run.plan.jobs && complaints.isEmpty
        let text =
            "\(totals.accepted) accepted = \(done) catalogued + \(totals.failed) failed + \(totals.cancelled) cancelled + "
            + "\(totals.open) open, of \(run.plan.jobs), \(run.sources.poison.count) of them poison"
        let innocent = failures.filter { run.sources.poison[name($0)] == nil }
        let words = innocent.prefix(3).map { "\(name($0)) failed: \($0.failure.message)" }
        return (
            TortureVerdict(
                name: "I1 no lost job", holds: isWhole && totals.failed - innocent.count == run.sources.poison.count,
                text: ([text] + complaints + words).joined(separator: "; ")), failures, done
        )
    }

    func name(_ failed: FailedJob) -> String { String(decoding: failed.file.path.name, as: UTF8.self) }

    private var putAside: TortureVerdict {
        let (letters, sent) = (run.story.deadLetters, run.story.garbageSent)
        return TortureVerdict(
            name: "I1 no lost garbage", holds: letters >= sent, text: "\(letters) dead letters, \(sent) of garbage")
    }

    /// Every file hashed; every row and every name checked.
    private func files(_ catalogued: Int) async throws -> [TortureVerdict] {
        let found = Mutex<[LibraryVerification.Finding]>([])
        let verification = LibraryVerification(
            library: place.library, roots: try RootOptions.open(place.roots), checkers: Machine.cores)
        let report = try await verification.run(onFinding: { finding in found.withLock { $0.append(finding) } })
        let findings = found.withLock { $0 }
        let half: Set<LibraryVerification.Finding.Kind> = [
            .photoChanged, .previewChanged, .copyChanged, .staleTemporary, .unreadable,
        ]
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

    private func words(_ findings: [LibraryVerification.Finding]) -> String {
        findings.prefix(5).map { "; \(VerifyReport.text($0))" }.joined()
            + (findings.count > 5 ? "; and \(findings.count - 5) more" : "")
    }
}
