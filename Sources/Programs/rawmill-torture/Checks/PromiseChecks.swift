import CommandLineTool
import Coordinator
import Jobs
import Library
import Manifests
import Processes
import Storage
import Synchronization

/// Compares what is left of a tortured cluster with the promises that Rawmill makes.
struct PromiseChecks {
    let run: TortureRun
    /// Everything came to its end in time.
    let isFinished: Bool
    var layout: ClusterLayout { run.layout }

    func outcome() async throws -> Outcome {
        let logs = try RoleLogs(folder: layout.logs, explained: run.plan.scenario.explainedEvents)
        let (jobs, failures, catalogued) = try await noLostJob()
        var verdicts = [jobs]
        if run.tally.garbageSent > 0 { verdicts.append(noLostGarbage) }
        verdicts += try await files(catalogued)
        if run.plan.scenario == .mounts { verdicts.append(try nothingWhereNothingIsMounted()) }
        verdicts += [committedOffsets(logs), try await boundedRedo(logs), progress]
        if !run.sources.poison.isEmpty { verdicts.append(try await isolation(failures, logs)) }
        verdicts += [try await sameBytes(), nothingLeft, run.resources.verdict, unexplainedErrors(logs)]
        return Outcome(
            verdicts: verdicts, tally: run.tally, jobs: run.plan.jobs, renders: logs.rendersEnded,
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
        let isWhole = totals.isBalanced && totals.open == 0 && totals.accepted == run.plan.jobs && complaints.isEmpty
        let text =
            "\(totals.accepted) accepted = \(catalogued) catalogued + \(totals.failed) failed + "
            + "\(totals.cancelled) cancelled + \(totals.open) open, of \(run.plan.jobs), "
            + "\(run.sources.poison.count) of them poison"
        let innocent = failures.filter { run.sources.poison[name($0)] == nil }
        let details = innocent.prefix(3).map { "\(name($0)) failed: \($0.failure.message)" }
        return (
            Verdict(
                name: "I1 no lost job", holds: isWhole && totals.failed - innocent.count == run.sources.poison.count,
                text: ([text] + complaints + details).joined(separator: "; ")), failures, catalogued
        )
    }

    /// The name of the job's file.
    func name(_ failed: FailedJob) -> String { String(decoding: failed.file.path.name, as: UTF8.self) }

    /// A worker that finds an empty folder writes nothing there.
    private func nothingWhereNothingIsMounted() throws -> Verdict {
        let names = try Root(path: WorkerMounts.mountPoint(layout.folder), creating: true).entries(of: [])
        return Verdict(
            name: "I11 nothing in mount points", holds: names.isEmpty,
            text: "\(names.count) files where nothing was mounted")
    }

    private var noLostGarbage: Verdict {
        let (letters, sent) = (run.tally.deadLetters, run.tally.garbageSent)
        return Verdict(
            name: "I1 no lost garbage", holds: letters >= sent, text: "\(letters) dead letters, \(sent) of garbage")
    }

    /// Hashes every file, and checks every row and every name.
    private func files(_ catalogued: Int) async throws -> [Verdict] {
        let found = Mutex<[LibraryVerification.Finding]>([])
        let verification = LibraryVerification(
            library: layout.library, roots: try layout.openRoots(), checkers: Machine.cores)
        let report = try await verification.run(onFinding: { finding in found.withLock { $0.append(finding) } })
        let findings = found.withLock { $0 }
        let contentKinds: Set<LibraryVerification.Finding.Kind> = [
            .photoChanged, .previewChanged, .copyChanged, .staleTemporary, .unreadable,
        ]
        let rows = findings.filter { !contentKinds.contains($0.kind) }
        let contents = findings.filter { contentKinds.contains($0.kind) }
        return [
            Verdict(
                name: "I2 one row, one file",
                holds: rows.isEmpty && report.photos == catalogued + run.sources.furtherPhotos,
                text: "\(report.photos) photos of \(catalogued) catalogued, "
                    + "\(run.sources.furtherPhotos) more of bursts" + text(rows)),
            Verdict(
                name: "I3 no half file", holds: contents.isEmpty,
                text: "\(report.photos + report.previews) files have their digests, no unfinished ones"
                    + text(contents)),
        ]
    }

    private func text(_ findings: [LibraryVerification.Finding]) -> String {
        findings.prefix(5).map { "; \($0.file): \($0.kind.statement) \($0.detail)" }.joined()
            + (findings.count > 5 ? "; and \(findings.count - 5) more" : "")
    }
}
