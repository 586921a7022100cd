internal import Jobs
internal import LibraryTables
internal import PhotoTree

/// Checks that every file in `photos/` shows its row's object or is a user's.
struct LinkCheck {
    private typealias Finding = LibraryVerification.Finding

    private let context: VerificationContext

    init(_ context: VerificationContext) { self.context = context }

    func run() async throws {
        let reporter = context.reporter
        var last: RelativePath?
        while true {
            let page = try context.store.tables.files.treeLinks(after: last, limit: VerificationContext.pageSize)
            guard let end = page.last else { return }
            last = end.path
            let states = try await context.states(
                page.map { context.expect($0.path, .shown($0.photo, hashes: !$0.isPeoples && isSampled($0.photo))) })
            let changed = zip(page, states).filter { $1 == .changed && !$0.isPeoples }.map(\.0.path)
            let edits = try await context.edits(at: changed)
            let notRead = edits == nil ? Set(changed) : []
            var findings: [Finding] = []
            for (link, state) in zip(page, states) where !notRead.contains(link.path) {
                if let finding = try finding(link, state, edits?[link.path]) { findings.append(finding) }
            }
            let repaired = try context.repairer?.relink(findings) ?? []
            try context.repairer?.separate(zip(page, states).filter { $0.1 == .shared }.map(\.0.path))
            for finding in findings {
                reporter.add(repaired.contains(finding.file.path) ? finding.repaired() : finding)
            }
            reporter.publishProgress()
        }
    }

    private func isSampled(_ photo: ShownPhoto) -> Bool {
        photo.digest.map { context.sample.contains($0) } ?? !context.sample.isEmpty
    }

    private func finding(
        _ link: FileQueries.TreeLink, _ state: FileState, _ edit: AdoptedEdit?
    ) throws -> Finding? {
        let reporter = context.reporter
        switch state {
        case .shared:
            reporter.update { $0.sharedPhotos += 1 }
            return nil
        case .damaged: return Finding(.viewDamaged, link.path)
        case .good, .changed:
            guard link.isPeoples else { break }
            reporter.update { $0.peoples += 1 }
            return nil
        case .missing, .unreadable: break
        }
        if let edit {
            let isAdopted = try context.adopter?.adopt(edit) ?? false
            let finding = Finding(.photoEdited, link.path)
            return isAdopted ? finding.repaired() : finding
        }
        return reporter.finding(state, link.path, missing: .linkMissing, changed: .linkWrong)
    }
}
