import Coordinator
import Digest
import Jobs
import Manifests
import Processes

/// Compares the folder of a tortured export with an undisturbed one, and with users' changes in it.
struct ExportChecks {
    let run: ExportRun

    func outcome() async throws -> Outcome {
        let layout = run.layout
        let reference = run.references.last?.photos ?? [:]
        let comparison = try ExportComparison(
            reference, earlier: Set(run.references.dropLast().flatMap(\.photos.values)), folder: layout.out,
            editor: run.editor)
        let status = run.references.last?.status
        let left = try await processesLeft()
        let verdicts = [
            try await noLostJob(),
            Verdict(
                name: "I2 every photo once", holds: comparison.complaints.isEmpty && !reference.isEmpty,
                text: "\(comparison.present) of \(reference.count) photos are there once, "
                    + "\(comparison.edited) were edited since" + Verdict.list(comparison.complaints)),
            Verdict(
                name: "I3 no half file", holds: run.complaints.isEmpty,
                text: "whole after each of \(run.tally.total) kills" + Verdict.list(run.complaints)),
            Verdict(
                name: "I6 progress", holds: status != nil && run.lastEnd == status.map { .exited(status: $0) },
                text: "the last export \(run.lastEnd.map { "\($0)" } ?? "did not end"), "
                    + "an undisturbed one ends with status \(status ?? -1)"),
            Verdict(name: "I9 nothing left", holds: left == 0, text: "\(left) processes left"),
            try peoplesFiles(),
        ]
        return Outcome(
            verdicts: verdicts, tally: run.tally, jobs: run.plan.jobs * run.references.count, renders: 0,
            repeatedRenders: 0)
    }

    private func noLostJob() async throws -> Verdict {
        guard let ledger = try Ledger.existing(library: run.layout.state) else {
            return Verdict(name: "I1 no lost job", holds: false, text: "there is no ledger")
        }
        let (totals, complaints) = try await ledger.perform { (try $0.reports.totals(), try $0.reports.audit()) }
        let failures = try await ledger.perform { store in
            var found: [String] = []
            try store.reports.eachFailure { found.append("\($0.file) failed: \($0.failure.message)") }
            return found
        }
        return Verdict(
            name: "I1 no lost job",
            holds: totals.isBalanced && totals.open == 0 && failures.isEmpty && complaints.isEmpty,
            text: "\(totals.accepted) accepted = \(totals.catalogued + totals.degraded) placed + "
                + "\(totals.failed) failed + \(totals.cancelled) cancelled + \(totals.open) open"
                + Verdict.list(complaints + failures))
    }

    private func peoplesFiles() throws -> Verdict {
        let unknown = try run.archive.unknownFiles(below: run.layout.archive)
        let complaints =
            (run.archive.differences() + run.editor.files.differences()).map(\.text)
            + unknown.map { "\($0) was put into the archive" }
        return Verdict(
            name: "I11 users' files", holds: complaints.isEmpty,
            text: "\(run.archive.contents.count) files of the archive and "
                + "\(run.editor.files.contents.count) of users are unchanged" + Verdict.list(complaints))
    }

    /// A render process notices that its program was killed, and ends.
    private func processesLeft() async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if ProcessTable.processes(naming: run.layout.folder + "/").isEmpty { return 0 }
            try await Task.sleep(for: .milliseconds(100))
        }
        return ProcessTable.processes(naming: run.layout.folder + "/").count
    }
}

/// The check of an export's folder: each photo is there once, unless a user changed it; and the only other files are
/// users'.
struct ExportComparison {
    /// Number of existing photos.
    private(set) var present = 0
    /// Photos that a user edited after they were placed.
    private(set) var edited = 0
    /// Sentences.
    private(set) var complaints: [String] = []

    /// - Parameters:
    ///   - reference: the result of an undisturbed export, by name.
    ///   - earlier: photos of other exposures, which these should replace.
    init(
        _ reference: [String: SHA256Value], earlier: Set<SHA256Value>, folder: String, editor: PhotoEditor
    ) throws {
        var found: [SHA256Value: [String]] = [:]
        for path in try editor.files.unknownFiles(below: folder) {
            let name = String(path.dropFirst(folder.count + 1))
            guard case .file(let digest) = FileInventory.content(of: path) else { continue }
            found[digest, default: []].append(name)
        }
        for (name, digest) in reference.sorted(by: { $0.key < $1.key }) {
            let names = found.removeValue(forKey: digest) ?? []
            switch names.count {
            case 1: present += 1
            case 0 where Self.hasEdit(of: name, editor): edited += 1
            case 0: complaints.append("\(name) is missing")
            default: complaints.append("\(name) is there \(names.count) times: \(names.sorted())")
            }
        }
        for (digest, names) in found.sorted(by: { $0.value[0] < $1.value[0] }) {
            let kind = earlier.contains(digest) ? "is of an earlier exposure" : "is no photo of this export"
            complaints += names.sorted().map { "\($0) \(kind)" }
        }
    }

    /// A photo that a user edited after it was placed is done. Its name may have a number.
    private static func hasEdit(of name: String, _ editor: PhotoEditor) -> Bool {
        let base = name.dropLast(4)
        return editor.editedPhotos.contains { edited in
            guard edited.hasPrefix(base), edited.hasSuffix(".jpg") else { return false }
            let rest = edited.dropFirst(base.count).dropLast(4)
            return rest.isEmpty || rest.first == "-" && rest.dropFirst().allSatisfy(\.isNumber)
        }
    }
}
