import Digest
import Jobs
import LibraryTables
import Manifests
import MetadataHost
import PhotoTree
import Processes
import Selection
import Storage
import Synchronization
import Upkeep

/// The contents of folders: rows and files, and users' files.
extension PromiseChecks {
    /// Hashes every file, and checks every row and every name.
    func files(_ catalogued: Int) async throws -> [Verdict] {
        let (report, all) = try await verification()
        let findings = all.filter { !isPeoples($0) }
        let contentKinds: Set<LibraryVerification.Finding.Kind> = [
            .photoChanged, .previewChanged, .copyChanged, .staleTemporary, .unreadable, .viewDamaged,
        ]
        let rows = findings.filter { !contentKinds.contains($0.kind) }
        let contents = findings.filter { contentKinds.contains($0.kind) }
        return [
            Verdict(
                name: "I2 one row, one file",
                holds: rows.isEmpty && report.photos == catalogued + run.furtherPhotos,
                text: "\(report.photos) photos of \(catalogued) catalogued jobs, "
                    + "of bursts and duplicates \(run.furtherPhotos)" + text(rows)),
            Verdict(
                name: "I3 no half file", holds: contents.isEmpty,
                text: "\(report.photos + report.previews) files have their digests, no unfinished ones"
                    + text(contents)),
        ]
    }

    private func verification(
        repairs: Bool = false
    ) async throws -> (LibraryVerification.Report, [LibraryVerification.Finding]) {
        let found = Mutex<[LibraryVerification.Finding]>([])
        let verification = LibraryVerification(
            library: layout.library, roots: try layout.openRoots(), checkers: Machine.cores,
            metadataProgram: MetadataProcess.program)
        let report = try await verification.run(
            repair: repairs, adoptsEdits: repairs, onFinding: { finding in found.withLock { $0.append(finding) } })
        return (report, found.withLock { $0 })
    }

    private func text(_ findings: [LibraryVerification.Finding]) -> String {
        Verdict.list(findings.map { "\($0.file): \($0.kind.statement) \($0.detail)" })
    }

    /// A worker writes nothing into an empty folder.
    func nothingWhereNothingIsMounted() throws -> Verdict {
        let names = try Root(path: WorkerMounts.mountPoint(layout.folder), creating: true).entries(of: [])
        return Verdict(
            name: "I2 nothing in mount points", holds: names.isEmpty,
            text: "\(names.count) files where nothing was mounted")
    }

    // MARK: - Users' files

    /// Whether a finding is due to a user's action under that name.
    private func isPeoples(_ finding: LibraryVerification.Finding) -> Bool {
        let kinds: Set<LibraryVerification.Finding.Kind> = [.photoEdited, .linkMissing, .linkWrong, .unknownPhoto]
        guard kinds.contains(finding.kind) else { return false }
        let name = "\(finding.file.path)"
        return run.editor.names.contains { name == $0 || name.hasPrefix($0 + "/") }
    }

    /// I11: files that Rawmill did not write, and files that users changed, are unchanged: the archive's, except those
    /// moved into the library, and users' files below `photos/`. The archive has no other files.
    func peoplesFiles() throws -> Verdict {
        let differences = run.archive.differences()
        let moved = differences.isEmpty ? nil : try self.moved()
        let lost = try differences.filter { try moved?.has($0) != true }
        let unknown = try run.archive.unknownFiles(below: layout.archive)
        let replaced = run.editor.files.differences()
        let complaints = (lost + replaced).map(\.text) + unknown.map { "\($0) was put into the archive" }
        return Verdict(
            name: "I11 users' files", holds: complaints.isEmpty,
            text: "\(run.archive.contents.count - differences.count) files of the archive and "
                + "\(run.editor.files.contents.count) of users are unchanged, "
                + "\(differences.count - lost.count) were moved" + Verdict.list(complaints))
    }

    /// A verification recognises users' edits, repairs their deletions, and takes none of their files; afterwards only
    /// files unknown to Rawmill remain to be named.
    func peoplesFilesAfterRepair() async throws -> Verdict {
        let (_, findings) = try await verification(repairs: true)
        let adopted = try LibraryStore(folder: layout.library, mode: .read).assets.peoplesNames().map { "\($0)" }
        let named = Set(findings.filter { $0.kind == .photoEdited }.map { "\($0.file.path)" } + adopted)
        let unnamed = run.editor.editedPhotos.subtracting(named).sorted()
        let left = try await verification().1.filter { !(isPeoples($0) && $0.kind == .unknownPhoto) }
        let complaints =
            unnamed.map { "\($0) is not called edited" } + run.editor.files.differences().map(\.text)
            + left.map { "\($0.file): \($0.kind.statement)" }
        return Verdict(
            name: "I11 users' files after a repair", holds: complaints.isEmpty,
            text: "\(findings.count(where: \.isRepaired)) of \(findings.count) findings repaired, "
                + "\(run.editor.editedPhotos.count) photos were edited" + Verdict.list(complaints))
    }

    private func moved() throws -> MovedFiles { try MovedFiles(archive: layout.archive, library: layout.library) }

    /// Every path of every RAW shows its photos, and companions moved with it.
    func everyPath() throws -> Verdict {
        let expectation = DuplicatesExpectation(
            run.archive, in: layout.archive, cutRaws: run.sources.cutRaws, edited: run.editedCompanions)
        let complaints = try expectation.complaints(moved())
        return Verdict(
            name: "I2 every path shows its photo", holds: complaints.isEmpty,
            text: "\(expectation.raws) RAWs of \(expectation.assets) assets, \(expectation.companions) companions"
                + Verdict.list(complaints))
    }
}
